import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentEvent, AgentUsage } from '../../event.ts';
import { listPrice } from '../../pricing/price.ts';
import { JsonLineStream } from '../stream/json-line-stream.ts';
import { textAt } from '../stream/read-json.ts';

const TYPES: ReadonlySet<string> = new Set<AgentEvent['type']>([
  'session',
  'text',
  'tool',
  'tool.ended',
  'file',
  'usage',
  'denied',
  'asked',
  'retrying',
  'error',
  'result',
]);

/** The player speaks our own events, one a line. */
export class ScriptedStream extends JsonLineStream {
  #model: string | undefined;

  answer(questionId: string, text: string): string {
    return `${JSON.stringify({ type: 'answer', id: questionId, text })}\n`;
  }

  protected read(message: JsonObject): readonly AgentEvent[] {
    if (!isEvent(message)) return [];
    if (message.type === 'session') {
      this.conversation = { id: message.id };
      this.#model = message.model;
    }
    return [message.type === 'usage' ? this.#priced(message) : message];
  }

  /** Tokens without money are priced as those of any other CLI. */
  #priced(usage: AgentUsage): AgentUsage {
    const price =
      usage.usd === undefined ? listPrice(this.#model ?? '', usage.tokens, this.prices) : undefined;
    return price === undefined ? usage : { ...usage, usd: price, estimated: true };
  }
}

function isEvent(message: JsonObject): message is JsonObject & AgentEvent {
  return TYPES.has(textAt(message, 'type') ?? '');
}
