import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentEvent } from '../../event.ts';
import { objectAt, textAt } from '../stream/read-json.ts';

const DENIED =
  /denied|not permitted|policy|path not in workspace|rejected|requires? (?:user )?(?:confirmation|approval)|cancell?ed by user/i;

/** The tools of a run; a result names only the call it belongs to. */
export class GeminiTools {
  readonly #open = new Map<string, { readonly name: string; readonly input: JsonObject }>();

  used(message: JsonObject): AgentEvent {
    const [id, name] = [textAt(message, 'tool_id') ?? '', textAt(message, 'tool_name') ?? ''];
    const input = objectAt(message, 'parameters');
    this.#open.set(id, { name, input });
    return { type: 'tool', id, name, input };
  }

  ended(message: JsonObject): readonly AgentEvent[] {
    const id = textAt(message, 'tool_id') ?? '';
    const { name = 'a tool', input = {} } = this.#open.get(id) ?? {};
    const ok = message['status'] === 'success';
    const error = objectAt(message, 'error');
    const output = textAt(message, 'output') ?? textAt(error, 'message') ?? '';
    const told = `${textAt(error, 'type') ?? ''} ${output}`.trim();
    return [
      ...(!ok && DENIED.test(told) ? [{ type: 'denied', tool: name, reason: told } as const] : []),
      { type: 'tool.ended', id, ok, output },
      ...(ok ? fileOf(name, input) : []),
    ];
  }
}

/** Gemini does not tell whether a file that it wrote was there before. */
function fileOf(name: string, input: JsonObject): readonly AgentEvent[] {
  const path = textAt(input, 'file_path');
  if (path === undefined || (name !== 'write_file' && name !== 'replace')) return [];
  return [{ type: 'file', path, change: 'changed' }];
}
