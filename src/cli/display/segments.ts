import { type ContextSegment, contentText } from '../../api/segment.ts';
import { indent, oneLine, plain } from '../../kernel/words.ts';
import { isStructured, parsedIfStructured, structuredLines } from './structured.ts';
import type { Style } from './style.ts';

/** Beyond this a terminal is no help; `--json` gives everything. */
const SHOWN_LINES = 60;

export function segmentLines(segments: readonly ContextSegment[], style: Style): string[] {
  if (segments.length === 0) return [style.dim('  none')];
  return segments.flatMap((segment) => [
    `  ${style.bold(oneLine(segment.type))} ${style.dim(oneLine(segment.id))}${words(segment, style)}`,
    ...partsBeside(segment).map((line) => style.dim(indent(line, '    '))),
    ...contentLines(segment, style),
  ]);
}

function contentLines(segment: ContextSegment, style: Style): string[] {
  const value = parsedIfStructured(contentText(segment));
  const text = isStructured(value)
    ? structuredLines(value).map(plain)
    : plain(contentText(segment)).split('\n');
  const lines = text.join('\n').trimEnd().split('\n');
  const shown = lines.slice(0, SHOWN_LINES).map((line) => indent(line, '    '));
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, style.dim(`    and ${more} more lines: --json shows them`)] : shown;
}

const SHOWN_APART = new Set(['id', 'type', 'content']);

/** Fields beside the content, such as the outcome of a test. */
function beside(segment: ContextSegment): [string, unknown][] {
  return Object.entries(segment).filter(([key]) => !SHOWN_APART.has(key));
}

function words(segment: ContextSegment, style: Style): string {
  const simple = beside(segment).filter(([, value]) => !isStructured(value));
  const said = simple.map(([key, value]) => `${oneLine(key)}=${oneLine(String(value))}`);
  return said.length === 0 ? '' : ` ${style.dim(said.join(' '))}`;
}

/** Those that have parts of their own. */
function partsBeside(segment: ContextSegment): string[] {
  const rich = beside(segment).filter(([, value]) => isStructured(value));
  return rich.length === 0 ? [] : structuredLines(Object.fromEntries(rich)).map(plain);
}
