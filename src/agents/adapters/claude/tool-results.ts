import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentEvent } from '../../event.ts';
import { objectAt, objectsAt, textAt } from '../stream/read-json.ts';

export interface ToolResult {
  readonly id: string;
  readonly ok: boolean;
  readonly output: string;
  /** It did not happen, because a person or a rule said no. */
  readonly rejected: boolean;
  readonly file: readonly Extract<AgentEvent, { type: 'file' }>[];
}

/** The tool results of one `user` message. */
export function toolResults(message: JsonObject): readonly ToolResult[] {
  const results = objectsAt(objectAt(message, 'message'), 'content').filter(
    (part) => part['type'] === 'tool_result',
  );
  return results.map((part) => {
    const id = textAt(part, 'tool_use_id') ?? '';
    const ok = part['is_error'] !== true;
    const meta = objectsAt(message, 'tool_result_meta').find((each) => each['id'] === id) ?? {};
    const decision = objectAt(meta, 'permission_decision')['decision'];
    return {
      id,
      ok,
      output: outputOf(part),
      rejected: decision === 'reject' || decision === 'deny',
      // The details stand beside the message, once for all results: they are this one's when it is alone.
      file: ok && results.length === 1 ? fileOf(objectAt(message, 'tool_use_result')) : [],
    };
  });
}

function outputOf(part: JsonObject): string {
  const content = part['content'];
  if (typeof content === 'string') return content;
  return objectsAt(part, 'content')
    .map((piece) => textAt(piece, 'text') ?? '')
    .join('\n');
}

function fileOf(details: JsonObject): ToolResult['file'] {
  const path = textAt(details, 'filePath');
  if (path === undefined || !Array.isArray(details['structuredPatch'])) return [];
  return [{ type: 'file', path, change: details['type'] === 'create' ? 'added' : 'changed' }];
}
