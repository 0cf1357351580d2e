import { isJsonObject, type JsonObject } from '../kernel/json.ts';
import { oneLine } from '../kernel/words.ts';

/** What an agent reports about itself as one line for a person; undefined for what says nothing to one. */
export function activityLine(event: JsonObject): string | undefined {
  const { type } = event;
  if (type === 'text') return text(event['text']);
  if (type === 'tool') return `${text(event['name'])} ${subject(event['input'])}`.trim();
  if (type === 'tool.ended' && event['ok'] === false) return `failed: ${text(event['output'])}`;
  if (type === 'denied') return `not allowed: ${text(event['tool'])} (${text(event['reason'])})`;
  if (type === 'retrying') return `tries again: ${text(event['reason'])}`;
  if (type === 'error') return `${text(event['kind'])}: ${text(event['message'])}`;
  return undefined;
}

/** What a tool was used on: the first thing in its input that names it. */
function subject(input: unknown): string {
  if (typeof input === 'string') return oneLine(input);
  if (!isJsonObject(input)) return '';
  const named = ['file_path', 'filePath', 'path', 'command', 'cmd', 'pattern', 'url', 'query'];
  const key = named.find((name) => input[name] !== undefined);
  const value = key === undefined ? Object.values(input)[0] : input[key];
  return value === undefined ? '' : text(Array.isArray(value) ? value.join(' ') : value);
}

function text(value: unknown): string {
  return oneLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}
