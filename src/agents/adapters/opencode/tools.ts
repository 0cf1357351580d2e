import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentEvent } from '../../event.ts';
import { objectAt, textAt } from '../stream/read-json.ts';

const DENIED = /rejected permission|prevents? you from using|permission denied|not allowed/i;

/** Opencode tells of a tool once, when it has ended. */
export function toolEvents(part: JsonObject): readonly AgentEvent[] {
  const [id, name] = [textAt(part, 'callID') ?? '', textAt(part, 'tool') ?? ''];
  const state = objectAt(part, 'state');
  const input = objectAt(state, 'input');
  const ok = state['status'] === 'completed';
  const output = textAt(state, 'output') ?? textAt(state, 'error') ?? '';
  return [
    { type: 'tool', id, name, input },
    ...(!ok && DENIED.test(output) ? [{ type: 'denied', tool: name, reason: output } as const] : []),
    { type: 'tool.ended', id, ok, output },
    ...(ok ? fileOf(name, input, objectAt(state, 'metadata')) : []),
  ];
}

function fileOf(name: string, input: JsonObject, metadata: JsonObject): readonly AgentEvent[] {
  const path = textAt(input, 'filePath');
  if (path === undefined || (name !== 'write' && name !== 'edit')) return [];
  return [{ type: 'file', path, change: metadata['exists'] === false ? 'added' : 'changed' }];
}
