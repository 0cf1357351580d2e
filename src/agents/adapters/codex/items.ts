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

/** `why` is what codex had said when it wanted to be allowed what was declined. */
export function itemCompleted(item: JsonObject, why?: string): readonly AgentEvent[] {
  const text = textAt(item, 'text') ?? '';
  if (item['type'] === 'agentMessage') return text === '' ? [] : [{ type: 'text', text }];
  const [id, tool] = [textAt(item, 'id') ?? '', toolName(item)];
  if (tool === undefined) return [];
  const output = outputOf(item);
  const exit = numberAt(item, 'exitCode');
  const ok =
    item['status'] !== 'failed' && item['status'] !== 'declined' && (exit === undefined || exit === 0);
  return [
    ...denials(item, tool, why ?? output, ok),
    { type: 'tool.ended', id, ok, output },
    ...(ok ? files(item) : []),
  ];
}

/** Reasoning, to-do lists and warnings are not tools. */
function toolName(item: JsonObject): string | undefined {
  switch (item['type']) {
    case 'commandExecution':
      return 'shell';
    case 'fileChange':
      return 'apply_patch';
    case 'mcpToolCall':
      return `${textAt(item, 'server') ?? 'mcp'}.${textAt(item, 'tool') ?? 'tool'}`;
    case 'webSearch':
      return 'web_search';
    default:
      return undefined;
  }
}

function toolInput(item: JsonObject): JsonObject {
  if (item['type'] === 'commandExecution') return { command: textAt(item, 'command') ?? '' };
  if (item['type'] === 'fileChange') return { changes: objectsAt(item, 'changes') };
  if (item['type'] === 'webSearch') return { query: textAt(item, 'query') ?? '' };
  return objectAt(item, 'arguments');
}

function outputOf(item: JsonObject): string {
  if (item['type'] === 'webSearch') return looked(item);
  return textAt(item, 'aggregatedOutput') ?? textAt(objectAt(item, 'error'), 'message') ?? '';
}

/** Only at its end codex tells what a search came to: words that were searched for, or a page that was opened. */
function looked(item: JsonObject): string {
  const action = objectAt(item, 'action');
  const url = textAt(action, 'url');
  if (url !== undefined) return url;
  return textAt(action, 'query') ?? textAt(item, 'query') ?? '';
}

function denials(item: JsonObject, tool: string, output: string, ok: boolean): readonly AgentEvent[] {
  if (item['status'] === 'declined') return [{ type: 'denied', tool, reason: output || 'It was declined.' }];
  if (ok || item['type'] !== 'commandExecution' || !SANDBOXED.test(output)) return [];
  return [{ type: 'denied', tool, reason: output.trim().slice(0, 500) }];
}

function files(item: JsonObject): readonly AgentEvent[] {
  return objectsAt(item, 'changes').flatMap((change): AgentEvent[] => {
    const [path, kind] = [textAt(change, 'path'), CHANGES[textAt(objectAt(change, 'kind'), 'type') ?? '']];
    return path === undefined || kind === undefined ? [] : [{ type: 'file', path, change: kind }];
  });
}
