import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentEvent, TokenCount } from '../../event.ts';
import { listPrice } from '../../pricing/price.ts';
import type { StreamContext } from '../stream/context.ts';
import { agentError } from '../stream/error-kind.ts';
import { JsonLineStream } from '../stream/json-line-stream.ts';
import { numberAt, objectAt, textAt } from '../stream/read-json.ts';
import { minus, NO_TOKENS, usageEvent } from '../stream/usage.ts';
import { itemCompleted, itemStarted } from './items.ts';

const RECONNECTING = /^Reconnecting\.\.\. (\d+)\/\d+ \((.*)\)$/s;

/** `codex exec --json`. */
export class CodexStream extends JsonLineStream {
  protected override readonly noise =
    /^WARNING: proceeding, even though|^Reading (?:additional input|prompt) from stdin/;
  readonly #model: string | undefined;
  #counted: TokenCount;

  constructor(context: StreamContext) {
    super(context);
    this.#model = context.model;
    this.#counted = context.resume?.counted?.tokens ?? NO_TOKENS;
  }

  protected read(message: JsonObject): readonly AgentEvent[] {
    switch (message['type']) {
      case 'thread.started':
        return this.#started(textAt(message, 'thread_id') ?? '');
      case 'item.started':
        return itemStarted(objectAt(message, 'item'));
      case 'item.completed':
        return itemCompleted(objectAt(message, 'item'));
      case 'error':
        return this.#error(textAt(message, 'message') ?? '');
      case 'turn.completed':
        return [...this.#usage(objectAt(message, 'usage')), { type: 'result', ok: true, text: '' }];
      case 'turn.failed':
        return this.#failed(textAt(objectAt(message, 'error'), 'message') ?? 'The turn failed.');
      default:
        return [];
    }
  }

  #started(id: string): readonly AgentEvent[] {
    this.conversation = { id, counted: { tokens: this.#counted, usd: 0 } };
    return [{ type: 'session', id, ...(this.#model === undefined ? {} : { model: this.#model }) }];
  }

  /** Told again by `turn.failed` when codex gives up. */
  #error(message: string): readonly AgentEvent[] {
    const retry = RECONNECTING.exec(message);
    const reason = retry?.[2] ?? message;
    this.trouble = { message: reason };
    return retry ? [{ type: 'retrying', reason, attempt: Number(retry[1]) }] : [];
  }

  #failed(message: string): readonly AgentEvent[] {
    return [agentError({ message }, this.clock.now()), { type: 'result', ok: false, text: message }];
  }

  /** Codex counts over the whole thread, also over runs before this one. */
  #usage(usage: JsonObject): readonly AgentEvent[] {
    const total: TokenCount = {
      input: numberAt(usage, 'input_tokens') ?? 0,
      cached: numberAt(usage, 'cached_input_tokens') ?? 0,
      output: numberAt(usage, 'output_tokens') ?? 0,
    };
    const tokens = minus(total, this.#counted);
    this.#counted = total;
    if (this.conversation) this.conversation = { ...this.conversation, counted: { tokens: total, usd: 0 } };
    return usageEvent(tokens, this.#model === undefined ? undefined : listPrice(this.#model, tokens), true);
  }
}
