import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import type { AgentEvent } from '../../event.ts';
import { RpcQuestions } from '../rpc/questions.ts';
import { RpcStream } from '../rpc/rpc-stream.ts';
import type { StreamContext } from '../stream/context.ts';
import { objectAt, textAt } from '../stream/read-json.ts';
import { approvalOf } from './approvals.ts';
import { CodexCount } from './count.ts';
import { CodexErrors, retrying } from './errors.ts';
import { itemCompleted, itemStarted } from './items.ts';
import { CODEX_NOISE, ownWaitMs, rejectedByPolicy, saysUnheard } from './log-lines.ts';

/** Permissions by their finest division, so that what the sandbox stops is asked for, are an experimental part. */
const INITIALIZE = {
  clientInfo: { name: 'loopwright', title: 'loopwright', version: '0' },
  capabilities: { experimentalApi: true, requestAttestation: false },
};

const UNHEARD = {
  type: 'error',
  kind: 'crash',
  message:
    'codex could not write what it had to say, and the rest of its output is lost; its prompt may be too long',
} as const;

/**
 * `codex app-server`. Other than `codex exec --json` it tells of a command that the sandbox stopped: it asks whether
 * it may run it outside. Where nobody is there to be asked, that is declined.
 */
export class CodexAppServerStream extends RpcStream {
  protected override readonly noise = CODEX_NOISE;
  readonly #context: StreamContext;
  readonly #questions = new RpcQuestions();
  readonly #count: CodexCount;
  readonly #errors: CodexErrors;
  /** The items that were begun, and why codex wanted to be allowed one of them, by their ids. */
  readonly #items = new Map<string, JsonObject>();
  readonly #wanted = new Map<string, string>();
  readonly #held: AgentEvent[] = [];
  #thread = '';
  #saidLast = false;

  constructor(context: StreamContext) {
    super(context, INITIALIZE);
    this.#context = context;
    this.#count = new CodexCount(context.resume, context.prices);
    this.#errors = new CodexErrors(this.clock);
  }

  answer(questionId: string, text: string): string {
    return this.#questions.answer(questionId, text).line;
  }

  protected initialized(): readonly AgentEvent[] {
    const { resume, fork, dialogue } = this.#context;
    this.notify('initialized');
    const params: JsonObject = dialogue ? { cwd: dialogue.cwd, ...dialogue.params } : {};
    const begun = (result: JsonObject) => this.#begun(result, dialogue?.prompt ?? '');
    const going = fork ? 'thread/fork' : 'thread/resume';
    if (resume) this.call(going, { threadId: resume.id, excludeTurns: true, ...params }, begun);
    else this.call('thread/start', params, begun);
    return [];
  }

  protected override readText(line: string): readonly AgentEvent[] {
    const ms = ownWaitMs(line);
    if (ms !== undefined) this.pause = { ms };
    if (saysUnheard(line)) return [UNHEARD, { type: 'result', ok: false, text: UNHEARD.message }];
    const rejection = rejectedByPolicy(line);
    return rejection === undefined ? [] : [{ type: 'denied', tool: rejection.tool, reason: rejection.why }];
  }

  protected override finish(): readonly AgentEvent[] {
    return this.#held.splice(0);
  }

  protected notified(method: string, params: JsonObject): readonly AgentEvent[] {
    if (method === 'thread/tokenUsage/updated') return this.#used(params);
    if (method === 'account/rateLimits/updated') this.#errors.limited(objectAt(params, 'rateLimits'));
    if (method === 'serverRequest/resolved') return this.#questions.withdraw(params['requestId'] ?? '');
    // Threads of its helpers tell the same of themselves.
    if (params['threadId'] !== this.#thread) return [];
    switch (method) {
      case 'item/started':
        return [...this.#held.splice(0), ...this.#started(objectAt(params, 'item'))];
      case 'item/completed':
        return this.#ended(objectAt(params, 'item'));
      case 'error':
        return this.#trouble(params);
      case 'turn/completed':
        return [...this.#held.splice(0), ...this.#completed(objectAt(params, 'turn'))];
      default:
        return [];
    }
  }

  protected requested(id: JsonValue, method: string, params: JsonObject): readonly AgentEvent[] | undefined {
    const item = this.#items.get(textAt(params, 'itemId') ?? '') ?? {};
    const approval = approvalOf(method, params, item);
    if (!approval) return undefined;
    this.#wanted.set(approval.about, approval.why);
    if (this.#context.dialogue?.asks) return [this.#questions.ask(id, approval)];
    this.reply(id, approval.declined);
    return approval.itemTells ? [] : [{ type: 'denied', tool: approval.tool, reason: approval.why }];
  }

  #begun(result: JsonObject, prompt: string): readonly AgentEvent[] {
    const wrong = otherApprovals(this.#context.dialogue?.params ?? {}, result);
    if (wrong !== undefined) {
      return [
        { type: 'error', kind: 'refused', message: wrong },
        { type: 'result', ok: false, text: wrong },
      ];
    }
    const id = textAt(objectAt(result, 'thread'), 'id') ?? '';
    const model = textAt(result, 'model');
    this.#thread = id;
    this.#count.begin(id, model);
    this.conversation = { id, counted: this.#count.counted };
    this.call('turn/start', { threadId: id, input: [{ type: 'text', text: prompt }] }, () => []);
    return [{ type: 'session', id, ...(model === undefined ? {} : { model }) }];
  }

  #started(item: JsonObject): readonly AgentEvent[] {
    this.#items.set(textAt(item, 'id') ?? '', item);
    return itemStarted(item);
  }

  #ended(item: JsonObject): readonly AgentEvent[] {
    const id = textAt(item, 'id') ?? '';
    const why = this.#wanted.get(id);
    this.#items.delete(id);
    this.#wanted.delete(id);
    this.#saidLast = item['type'] === 'agentMessage';
    return itemCompleted(item, why);
  }

  #used(params: JsonObject): readonly AgentEvent[] {
    const thread = textAt(params, 'threadId') ?? '';
    const events = this.#count.used(thread, objectAt(objectAt(params, 'tokenUsage'), 'total'));
    if (this.conversation) this.conversation = { id: this.conversation.id, counted: this.#count.counted };
    if (!this.#saidLast) return events;
    // After its words the turn is over, as is told soon: what it cost must not cut it off before.
    this.#held.push(...events);
    return [];
  }

  /** Told again by the turn when codex gives up. */
  #trouble(params: JsonObject): readonly AgentEvent[] {
    const error = objectAt(params, 'error');
    this.trouble = this.#errors.failureOf(error);
    return params['willRetry'] === true ? [retrying(error)] : [];
  }

  #completed(turn: JsonObject): readonly AgentEvent[] {
    if (turn['status'] === 'completed') return [{ type: 'result', ok: true, text: '' }];
    const error = objectAt(turn, 'error');
    const text = textAt(error, 'message') ?? `The turn was ${textAt(turn, 'status') ?? 'not completed'}.`;
    return [this.#errors.of(error, text), { type: 'result', ok: false, text }];
  }
}

/** A codex that no longer knows the approvals we want must not begin to work with others: it might not ask. */
function otherApprovals(params: JsonObject, { approvalPolicy: used }: JsonObject): string | undefined {
  const { approvalPolicy: wanted } = params;
  if (wanted === undefined || isDeepStrictEqual(used, wanted)) return undefined;
  return `Codex would work with the approvals ${JSON.stringify(used)} and not with ${JSON.stringify(wanted)}; it was not given its task.`;
}
