/** What can be chosen, and by which keys. */
export interface Choices {
  readonly labels: readonly string[];
  /** Undefined where a line is to be typed. */
  readonly menu: Menu | undefined;
  /** The line of the first one. */
  readonly start: number;
}

export type Menu =
  | { readonly pick: 'number' }
  /** By moving from the one that is pointed at, then Enter. */
  | { readonly pick: 'arrows'; readonly along: 'column' | 'row'; readonly pointed: number };

/** How far below the choices the keys are explained by which some patterns know a question. */
const MOST_LINES_BELOW = 3;

/** The last list that ends below a matched line or right above it; those higher up are something else. */
export function findChoices(
  lines: readonly string[],
  match: number,
  pick: Menu['pick'] = 'number',
): Choices | undefined {
  for (let end = lines.length - 1; end >= Math.max(0, match - MOST_LINES_BELOW); end--) {
    const found = numberedUpTo(lines, end, pick) ?? pointedAt(lines, end);
    if (found) return found;
  }
  return undefined;
}

const NUMBERED = /^\s*(?<pointer>[❯›>●○•*→▶▸]\s*)?(?<number>\d{1,2})[.)]\s+(?<label>\S.*)$/u;

function numberedUpTo(lines: readonly string[], end: number, pick: Menu['pick']): Choices | undefined {
  const labels: string[] = [];
  let [pointed, rest] = [-1, ''];
  let wanted = Number(NUMBERED.exec(lines[end] ?? '')?.groups?.['number'] ?? 0);
  for (let at = end; wanted >= 1 && at >= 0; at--) {
    const line = lines[at] ?? '';
    const choice = NUMBERED.exec(line)?.groups;
    if (choice && Number(choice['number']) === wanted) {
      labels.unshift(`${choice['label']}${rest}`);
      if (choice['pointer'] !== undefined) pointed = wanted - 1;
      rest = '';
      if (wanted-- === 1) return { labels, start: at, menu: numberedMenu(pick, pointed) };
    } else if (choice || line.trim() === '') return undefined;
    // Between two numbers: the upper choice was too long for one line.
    else rest = ` ${line.trim()}${rest}`;
  }
  return undefined;
}

function numberedMenu(pick: Menu['pick'], pointed: number): Menu | undefined {
  if (pointed < 0) return undefined;
  return pick === 'arrows' ? { pick, along: 'column', pointed } : { pick };
}

const POINTED = /^(?<before>\s*[❯▶▸]\s+)(?<label>\S.*)$/u;

/** A list without numbers: lines that begin under each other, one of them pointed at. */
function pointedAt(lines: readonly string[], at: number): Choices | undefined {
  const { before, label } = POINTED.exec(lines[at] ?? '')?.groups ?? {};
  if (before === undefined || label === undefined) return undefined;
  const column = ' '.repeat(before.length);
  const isSibling = (line: string | undefined) => line?.startsWith(column) && line[column.length] !== ' ';
  let start = at;
  while (isSibling(lines[start - 1])) start--;
  let end = at;
  while (isSibling(lines[end + 1])) end++;
  if (start === end) return undefined;
  const labels = lines.slice(start, end + 1).map((line) => line.slice(column.length));
  labels[at - start] = label;
  return { labels, start, menu: { pick: 'arrows', along: 'column', pointed: at - start } };
}
