import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import type { AgentEvent, AgentQuestion } from '../../event.ts';
import { ALWAYS_WORDS, NO_WORDS, YES_WORDS } from '../stream/answer-words.ts';
import { objectAt, objectsAt, textAt } from '../stream/read-json.ts';

const ALLOW = 'Allow once';
const ALWAYS = 'Allow for this session';
const DENY = 'Deny';

/** The questions that claude asks on its control channel, and how their answers are written to it. */
export class ClaudeQuestions {
  readonly #open = new Map<string, JsonObject>();

  ask(id: string, request: JsonObject): AgentQuestion {
    this.#open.set(id, request);
    const asked = objectsAt(objectAt(request, 'input'), 'questions');
    if (textAt(request, 'tool_name') === 'AskUserQuestion' && asked.length > 0) return ownQuestion(id, asked);
    const tool = textAt(request, 'display_name') ?? textAt(request, 'tool_name') ?? 'a tool';
    const always = suggestions(request).length > 0;
    const choices = always ? [ALLOW, ALWAYS, DENY] : [ALLOW, DENY];
    const words = [...YES_WORDS, ...(always ? ALWAYS_WORDS : []), ...NO_WORDS];
    return {
      type: 'asked',
      id,
      question: `Claude wants to use ${tool}: ${subject(request)}`,
      choices,
      words,
    };
  }

  withdraw(id: string): readonly AgentEvent[] {
    return this.#open.delete(id) ? [{ type: 'withdrawn', id }] : [];
  }

  /** One line for standard input. Words that are no choice deny, and tell the agent what to do instead. */
  answer(id: string, text: string): string {
    const request = this.#open.get(id) ?? {};
    this.#open.delete(id);
    const response = { subtype: 'success', request_id: id, response: decision(request, text.trim()) };
    return `${JSON.stringify({ type: 'control_response', response })}\n`;
  }
}

function decision(request: JsonObject, text: string): JsonObject {
  const input = objectAt(request, 'input');
  if (textAt(request, 'tool_name') === 'AskUserQuestion') {
    const asked = objectsAt(input, 'questions').map((question) => textAt(question, 'question') ?? '');
    const lines = asked.length > 1 ? text.split('\n') : [text];
    const answers = Object.fromEntries(asked.map((question, at) => [question, lines[at] ?? text]));
    return { behavior: 'allow', updatedInput: { ...input, answers } };
  }
  const word = text.toLowerCase();
  const always = suggestions(request).length > 0;
  if (always && ['2', ...ALWAYS_WORDS, ALWAYS.toLowerCase()].includes(word)) {
    return { behavior: 'allow', updatedInput: input, updatedPermissions: suggestions(request) };
  }
  if (['1', ...YES_WORDS, ALLOW.toLowerCase()].includes(word)) {
    return { behavior: 'allow', updatedInput: input };
  }
  const plain = ['', ...NO_WORDS, always ? '3' : '2', DENY.toLowerCase()].includes(word);
  return { behavior: 'deny', message: plain ? 'The person denied this.' : text };
}

function ownQuestion(id: string, asked: readonly JsonObject[]): AgentQuestion {
  const question = asked.map((each) => textAt(each, 'question') ?? '').join('\n');
  const [only] = asked.length === 1 ? asked : [];
  const choices = only ? objectsAt(only, 'options').map((option) => textAt(option, 'label') ?? '') : [];
  return { type: 'asked', id, question, choices };
}

/** What the tool would do, in one line. */
function subject(request: JsonObject): string {
  const input = objectAt(request, 'input');
  const told = textAt(input, 'command') ?? textAt(input, 'file_path') ?? textAt(request, 'description');
  return told ?? JSON.stringify(input);
}

function suggestions(request: JsonObject): readonly JsonValue[] {
  return objectsAt(request, 'permission_suggestions');
}
