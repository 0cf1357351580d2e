import type { JsonObject } from '../../../kernel/json.ts';
import type { RpcChoice, RpcQuestion } from '../rpc/questions.ts';
import { ALWAYS_WORDS, NO_WORDS, YES_WORDS } from '../stream/answer-words.ts';
import { objectAt, objectsAt, textAt } from '../stream/read-json.ts';

/** Something that codex wants to be allowed. */
export interface Approval extends RpcQuestion {
  readonly tool: string;
  /** The words that a denial of it is reported with. */
  readonly why: string;
  readonly declined: JsonObject;
  /** The item it is about is completed as declined. */
  readonly itemTells: boolean;
}

const DECLINE = { decision: 'decline' };
const FOR_SESSION = 'acceptForSession';

/** `item` is what codex has told of the thing that it wants to do. */
export function approvalOf(method: string, params: JsonObject, item: JsonObject): Approval | undefined {
  const found = wishOf(method, params, item);
  return found && { ...found, about: textAt(params, 'itemId') ?? '' };
}

type Wish = Omit<Approval, 'about'>;

function wishOf(method: string, params: JsonObject, item: JsonObject): Wish | undefined {
  switch (method) {
    case 'item/commandExecution/requestApproval':
      return command(params);
    case 'item/fileChange/requestApproval':
      return changes(params, item);
    case 'item/permissions/requestApproval':
      return permissions(params);
    case 'mcpServer/elicitation/request':
      return elicitation(params);
    default:
      return undefined;
  }
}

function command(params: JsonObject): Wish {
  const line = textAt(params, 'command') ?? 'a command';
  // Its own words for a command that the sandbox stopped.
  const stopped = textAt(params, 'reason') === 'command failed; retry without sandbox?';
  const offered = params['availableDecisions'];
  const forSession = Array.isArray(offered) && offered.includes(FOR_SESSION);
  return decided({
    tool: 'shell',
    question: stopped
      ? `Codex wants to run a command that its sandbox stopped: ${line}`
      : `Codex wants to run a command${because(params)}: ${line}`,
    why: stopped ? `The sandbox stopped it: ${line}` : `It was not allowed: ${line}`,
    forSession,
  });
}

function changes(params: JsonObject, item: JsonObject): Wish {
  const paths = objectsAt(item, 'changes').flatMap((change) => textAt(change, 'path') ?? []);
  const files = paths.length === 0 ? 'files' : paths.join(', ');
  return decided({
    tool: 'apply_patch',
    question: `Codex wants to change ${files}${because(params)}`,
    why: `It was not allowed to change ${files}`,
    forSession: true,
  });
}

/** Grants nothing where it is declined; else what was wished for, in this turn. */
function permissions(params: JsonObject): Wish {
  const wish = objectAt(params, 'permissions');
  const declined = { permissions: {}, scope: 'turn' };
  return {
    tool: 'permissions',
    why: `It wished for more permissions: ${JSON.stringify(wish)}`,
    question: `Codex wishes for more permissions${because(params)}: ${JSON.stringify(wish)}`,
    choices: [allow({ permissions: wish, scope: 'turn' }), deny(declined)],
    declined,
    itemTells: false,
  };
}

/** A form cannot be filled in here; a plain confirmation can be given. */
function elicitation(params: JsonObject): Wish {
  const server = textAt(params, 'serverName') ?? 'an MCP server';
  const message = textAt(params, 'message') ?? textAt(params, 'title') ?? '';
  const declined = { action: 'decline', content: null, _meta: null };
  return {
    tool: server,
    why: `The server ${server} wanted to know: ${message}`,
    question: `The server ${server} asks: ${message}`,
    choices: [allow({ action: 'accept', content: {}, _meta: null }), deny(declined)],
    declined,
    itemTells: false,
  };
}

interface Decided extends Pick<Wish, 'tool' | 'question' | 'why'> {
  /** It can be allowed for all that is like it. */
  readonly forSession: boolean;
}

function decided({ forSession, ...asked }: Decided): Wish {
  const always: RpcChoice = {
    label: 'Allow for this session',
    words: ALWAYS_WORDS,
    result: { decision: FOR_SESSION },
  };
  const choices = [allow({ decision: 'accept' }), ...(forSession ? [always] : []), deny(DECLINE)];
  return { ...asked, choices, declined: DECLINE, itemTells: true };
}

function allow(result: JsonObject): RpcChoice {
  return { label: 'Allow once', words: YES_WORDS, result };
}

function deny(result: JsonObject): RpcChoice {
  return { label: 'Deny', words: NO_WORDS, result, denies: true };
}

function because(params: JsonObject): string {
  const reason = textAt(params, 'reason');
  return reason === undefined ? '' : ` (${reason})`;
}
