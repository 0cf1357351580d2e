import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentEvent } from '../../event.ts';
import { epochMs } from '../reset/reset-time.ts';
import type { StreamContext } from '../stream/context.ts';
import { agentError } from '../stream/error-kind.ts';
import { JsonLineStream } from '../stream/json-line-stream.ts';
import { numberAt, objectAt, objectsAt, textAt } from '../stream/read-json.ts';
import { ClaudeCount } from './count.ts';
import { errorsOf, failureOf, retryFailure, retrying } from './failure.ts';
import { ClaudeQuestions } from './questions.ts';
import { toolResults } from './tool-results.ts';

/** `claude -p --output-format stream-json --verbose`, with or without the control channel. */
export class ClaudeStream extends JsonLineStream {
  /** In a dialogue claude takes its prompt from nowhere else. */
  readonly opening?: string;
  readonly #count: ClaudeCount;
  readonly #questions = new ClaudeQuestions();
  readonly #tools = new Map<string, string>();
  readonly #told = new Set<string>();
  #resetAt: number | undefined;
  #announced = false;

  constructor(context: StreamContext) {
    super(context);
    this.#count = new ClaudeCount(context.resume, context.prices);
    if (context.dialogue) this.opening = openingLines(context.dialogue.prompt);
  }

  answer(questionId: string, text: string): string {
    return this.#questions.answer(questionId, text);
  }

  protected read(message: JsonObject): readonly AgentEvent[] {
    switch (message['type']) {
      case 'system':
        return this.#system(message);
      case 'assistant':
        return this.#assistant(message);
      case 'stream_event':
        return this.#count.partial(objectAt(message, 'event'));
      case 'user':
        return this.#toolResults(message);
      case 'rate_limit_event':
        this.#rateLimit(objectAt(message, 'rate_limit_info'));
        return [];
      case 'control_request':
        return this.#controlRequest(message);
      case 'control_cancel_request':
        return this.#questions.withdraw(textAt(message, 'request_id') ?? '');
      case 'result':
        return this.#result(message);
      default:
        return [];
    }
  }

  #system(message: JsonObject): readonly AgentEvent[] {
    const subtype = textAt(message, 'subtype');
    if (subtype === 'permission_denied') return this.#denied(message, textAt(message, 'message') ?? '');
    if (subtype === 'api_retry') {
      this.trouble = retryFailure(message);
      return [retrying(message)];
    }
    const id = textAt(message, 'session_id');
    // A conversation of several turns announces itself for each.
    if (subtype !== 'init' || id === undefined || this.#announced) return [];
    this.#announced = true;
    const model = textAt(message, 'model');
    this.#remember(id);
    return [{ type: 'session', id, ...(model === undefined ? {} : { model }) }];
  }

  #assistant(message: JsonObject): readonly AgentEvent[] {
    const inner = objectAt(message, 'message');
    // What the CLI says in the model's name about a failed call; the result tells it again.
    if (message['is_api_error_message'] === true) {
      this.trouble = failureOf(
        message,
        objectsAt(inner, 'content')
          .map((part) => textAt(part, 'text') ?? '')
          .join('\n'),
      );
      return [];
    }
    const own = message['parent_tool_use_id'] === null || message['parent_tool_use_id'] === undefined;
    const events = objectsAt(inner, 'content').flatMap((part): AgentEvent[] => {
      const text = textAt(part, 'text') ?? '';
      if (part['type'] === 'text') return own && text !== '' ? [{ type: 'text', text }] : [];
      if (part['type'] !== 'tool_use') return [];
      const [id, name] = [textAt(part, 'id') ?? '', textAt(part, 'name') ?? ''];
      this.#tools.set(id, name);
      return [{ type: 'tool', id, name, input: part['input'] ?? {} }];
    });
    return [...events, ...this.#count.message(inner)];
  }

  #toolResults(message: JsonObject): readonly AgentEvent[] {
    return toolResults(message).flatMap((result) => {
      const { id, ok, output, rejected, file } = result;
      const denied = rejected
        ? this.#denied({ tool_use_id: id, tool_name: this.#tools.get(id) }, output)
        : [];
      return [...denied, { type: 'tool.ended', id, ok, output } as const, ...file];
    });
  }

  #denied(denial: JsonObject, reason: string): readonly AgentEvent[] {
    const id = textAt(denial, 'tool_use_id') ?? '';
    if (this.#told.has(id)) return [];
    this.#told.add(id);
    return [{ type: 'denied', tool: textAt(denial, 'tool_name') ?? 'a tool', reason }];
  }

  #rateLimit(info: JsonObject): void {
    const resetsAt = numberAt(info, 'resetsAt');
    if (info['status'] === 'rejected' && resetsAt !== undefined) this.#resetAt = epochMs(resetsAt);
  }

  #controlRequest(message: JsonObject): readonly AgentEvent[] {
    const request = objectAt(message, 'request');
    if (request['subtype'] !== 'can_use_tool') return [];
    return [this.#questions.ask(textAt(message, 'request_id') ?? '', request)];
  }

  #result(message: JsonObject): readonly AgentEvent[] {
    const usage = this.#count.result(message);
    this.#remember(textAt(message, 'session_id') ?? this.conversation?.id);
    const denials = objectsAt(message, 'permission_denials').flatMap((denial) =>
      this.#denied(denial, 'It was not permitted.'),
    );
    const failed = message['is_error'] === true;
    const text = textAt(message, 'result') ?? errorsOf(message);
    const errors = failed ? [this.#error(message, text)] : [];
    return [...usage, ...denials, ...errors, { type: 'result', ok: !failed, text }];
  }

  #error(message: JsonObject, text: string): AgentEvent {
    // The limits that we ourselves gave it.
    if (textAt(message, 'subtype')?.startsWith('error_max_')) {
      return { type: 'error', kind: 'refused', message: text };
    }
    const resetAt = this.#resetAt === undefined ? {} : { resetAt: this.#resetAt };
    return agentError({ ...failureOf(message, text), ...resetAt }, this.clock.now());
  }

  #remember(id: string | undefined): void {
    const { counted } = this.#count;
    if (id !== undefined) this.conversation = { id, ...(counted ? { counted } : {}) };
  }
}

function openingLines(prompt: string): string {
  const lines = [
    { type: 'control_request', request_id: 'loopwright', request: { subtype: 'initialize' } },
    { type: 'user', message: { role: 'user', content: prompt } },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
