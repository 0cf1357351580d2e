import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentEvent } from '../../event.ts';
import { ClaudeStream } from '../claude/stream.ts';
import { objectAt, objectsAt, textAt } from '../stream/read-json.ts';

/** `[API Error: 401 Incorrect API key provided.]` */
const FAILED = /^\[API Error: (?:(\d{3}) )?([\s\S]*?)\]?$/;

/** `qwen -o stream-json` prints claude's format, but tells a failed call as an answer, and that as a success. */
export class QwenStream extends ClaudeStream {
  protected override read(message: JsonObject): readonly AgentEvent[] {
    if (message['type'] === 'assistant') {
      const texts = objectsAt(objectAt(message, 'message'), 'content').map((part) => textAt(part, 'text'));
      return super.read(texts.some(isFailure) ? { ...message, is_api_error_message: true } : message);
    }
    const [, status, reason] = FAILED.exec(textAt(message, 'result') ?? '') ?? [];
    if (message['type'] !== 'result' || reason === undefined) return super.read(message);
    const code = status === undefined ? {} : { api_error_status: Number(status) };
    return super.read({ ...message, ...code, is_error: true, result: reason });
  }
}

function isFailure(text: string | undefined): boolean {
  return text !== undefined && FAILED.test(text);
}
