import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentEvent } from '../../event.ts';
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
  answer(questionId: string, text: string): string {
    return `${JSON.stringify({ type: 'answer', id: questionId, text })}\n`;
  }

  protected read(message: JsonObject): readonly AgentEvent[] {
    if (!isEvent(message)) return [];
    if (message.type === 'session') this.conversation = { id: message.id };
    return [message];
  }
}

function isEvent(message: JsonObject): message is JsonObject & AgentEvent {
  return TYPES.has(textAt(message, 'type') ?? '');
}
