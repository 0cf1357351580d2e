import { type ContextSegment, contentText } from '../../api/segment.ts';
import { indent, oneLine, plain } from '../../kernel/words.ts';
import type { Style } from './style.ts';

/** Beyond this a terminal is no help; `--json` gives everything. */
const SHOWN_LINES = 60;

export function segmentLines(segments: readonly ContextSegment[], style: Style): string[] {
  if (segments.length === 0) return [style.dim('  none')];
  return segments.flatMap((segment) => [
    `  ${style.bold(oneLine(segment.type))} ${style.dim(oneLine(segment.id))}${extras(segment, style)}`,
    ...contentLines(plain(contentText(segment)), style),
  ]);
}

function contentLines(text: string, style: Style): string[] {
  const lines = text.trimEnd().split('\n');
  const shown = lines.slice(0, SHOWN_LINES).map((line) => indent(line, '    '));
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, style.dim(`    and ${more} more lines: --json shows them`)] : shown;
}

const SHOWN_APART = new Set(['id', 'type', 'content']);

/** Fields beside the content, such as the outcome of a test. */
function extras(segment: ContextSegment, style: Style): string {
  const words = Object.entries(segment)
    .filter(([key]) => !SHOWN_APART.has(key))
    .map(([key, value]) => `${oneLine(key)}=${oneLine(valueText(value))}`);
  return words.length === 0 ? '' : ` ${style.dim(words.join(' '))}`;
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
