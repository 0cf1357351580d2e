import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentEvent, FileChange } from '../../event.ts';
import { numberAt, objectAt, objectsAt, textAt } from '../stream/read-json.ts';

const CHANGES: { readonly [kind: string]: FileChange } = {
  add: 'added',
  update: 'changed',
  delete: 'removed',
};

/** What the sandbox leaves in the output of a command that it stopped. */
const SANDBOXED =
  /read-only file system|operation not permitted|sandbox(?:ed)?.{0,40}(?:denied|error|blocked)|landlock/i;

export function itemStarted(item: JsonObject): readonly AgentEvent[] {
  const [id, name] = [textAt(item, 'id') ?? '', toolName(item)];
  return name === undefined ? [] : [{ type: 'tool', id, name, input: toolInput(item) }];
}

export function itemCompleted(item: JsonObject): readonly AgentEvent[] {
  const text = textAt(item, 'text') ?? '';
  if (item['type'] === 'agent_message') return text === '' ? [] : [{ type: 'text', text }];
  const [id, tool] = [textAt(item, 'id') ?? '', toolName(item)];
  if (tool === undefined) return [];
  const output = outputOf(item);
  const exit = numberAt(item, 'exit_code');
  const ok =
    item['status'] !== 'failed' && item['status'] !== 'declined' && (exit === undefined || exit === 0);
  return [
    ...denials(item, tool, output, ok),
    { type: 'tool.ended', id, ok, output },
    ...(ok ? files(item) : []),
  ];
}

/** Reasoning, to-do lists and warnings are not tools. */
function toolName(item: JsonObject): string | undefined {
  switch (item['type']) {
    case 'command_execution':
      return 'shell';
    case 'file_change':
      return 'apply_patch';
    case 'mcp_tool_call':
      return `${textAt(item, 'server') ?? 'mcp'}.${textAt(item, 'tool') ?? 'tool'}`;
    case 'web_search':
      return 'web_search';
    default:
      return undefined;
  }
}

function toolInput(item: JsonObject): JsonObject {
  if (item['type'] === 'command_execution') return { command: textAt(item, 'command') ?? '' };
  if (item['type'] === 'file_change') return { changes: objectsAt(item, 'changes') };
  if (item['type'] === 'web_search') return { query: textAt(item, 'query') ?? '' };
  return objectAt(item, 'arguments');
}

function outputOf(item: JsonObject): string {
  return textAt(item, 'aggregated_output') ?? textAt(objectAt(item, 'error'), 'message') ?? '';
}

function denials(item: JsonObject, tool: string, output: string, ok: boolean): readonly AgentEvent[] {
  if (item['status'] === 'declined') return [{ type: 'denied', tool, reason: output || 'It was declined.' }];
  if (ok || item['type'] !== 'command_execution' || !SANDBOXED.test(output)) return [];
  return [{ type: 'denied', tool, reason: output.trim().slice(0, 500) }];
}

function files(item: JsonObject): readonly AgentEvent[] {
  return objectsAt(item, 'changes').flatMap((change): AgentEvent[] => {
    const [path, kind] = [textAt(change, 'path'), CHANGES[textAt(change, 'kind') ?? '']];
    return path === undefined || kind === undefined ? [] : [{ type: 'file', path, change: kind }];
  });
}
