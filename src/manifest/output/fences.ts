export interface FencedBlock {
  readonly before: string;
  readonly content: string;
  readonly after: string;
  readonly closed: boolean;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;

/** The outermost fenced blocks of a text. A fence with a language inside another one opens a nested block. */
export function fencedBlocks(text: string): FencedBlock[] {
  const found: FencedBlock[] = [];
  let open: { marker: string; start: number; contentStart: number; depth: number } | undefined;
  for (const { line, start, end } of lines(text)) {
    const [, marker, info = ''] = FENCE.exec(line) ?? [];
    if (marker === undefined) continue;
    if (!open) {
      open = { marker, start, contentStart: end, depth: 1 };
      continue;
    }
    if (!marker.startsWith(open.marker)) continue;
    open.depth += info.trim() === '' ? -1 : 1;
    if (open.depth > 0) continue;
    found.push(block(text, open, start, end, true));
    open = undefined;
  }
  if (open) found.push(block(text, open, text.length, text.length, false));
  return found;
}

/** The content of a text that is one fenced block, with at most a sentence that announces it. */
export function withoutFence(text: string): string {
  const [only] = fencedBlocks(text);
  if (!only?.closed || only.after.trim() !== '') return text;
  const preamble = only.before.trim();
  const announces = preamble === '' || (preamble.endsWith(':') && !/\n\s*\n/.test(preamble));
  return announces ? only.content : text;
}

function block(
  text: string,
  open: { start: number; contentStart: number },
  closeStart: number,
  closeEnd: number,
  closed: boolean,
): FencedBlock {
  return {
    before: text.slice(0, open.start),
    content: text.slice(open.contentStart, closeStart).replace(/\r?\n$/, ''),
    after: text.slice(closeEnd),
    closed,
  };
}

function* lines(text: string): Generator<{ line: string; start: number; end: number }> {
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline + 1;
    yield { line: text.slice(start, end).trimEnd(), start, end };
    start = end;
  }
}
