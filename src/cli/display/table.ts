import { idsIn, shortenIds, shortId } from '../../kernel/short-ids.ts';
import { broken, pad, size } from '../../kernel/text-width.ts';
import type { Screen } from '../output.ts';
import type { Paint } from './style.ts';

export interface Cell {
  readonly text: string;
  readonly paint?: Paint;
}

/** What a table is drawn for. */
export type TableView = Pick<Screen, 'style' | 'width'>;

const GAP = 2;
/** What comes on the next line of a row stands this far in. */
const INDENT = 2;
/** A last column gets at least this much, or a line of its own. */
const NARROWEST = 20;

/**
 * Columns as wide as their widest cell. Where that is more than the window has, the columns that do not fit go to a
 * second line of the row, and a text that is longer than a line is broken between words: nothing is left out.
 * Colour is put on after padding, so it does not count.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly (Cell | string)[])[],
  { style, width }: TableView,
): string[] {
  const cells = withDistinctIds(
    rows.map((row) => row.map((cell) => (typeof cell === 'string' ? { text: cell } : cell))),
  );
  const widths = head.map((title, column) =>
    Math.max(size(title), ...cells.map((row) => size(row[column]?.text ?? ''))),
  );
  const layout = linesOf(widths, width);
  const titles = head.map((text) => ({ text, paint: style.dim }));
  return [titles, ...cells].flatMap((row) => rowLines(row, layout));
}

/** One line of a row: which columns it has, and how wide each is. */
interface Line {
  readonly indent: number;
  readonly columns: readonly { readonly column: number; readonly width: number }[];
}

function linesOf(widths: readonly number[], most: number): Line[] {
  const lines: { indent: number; columns: { column: number; width: number }[] }[] = [];
  let used = 0;
  for (const [column, wanted] of widths.entries()) {
    const line = lines.at(-1);
    const before = used === 0 ? 0 : used + GAP;
    const isLast = column === widths.length - 1;
    if (line && (before + wanted <= most || (isLast && most - before >= NARROWEST))) {
      const width = Math.min(wanted, most - before);
      line.columns.push({ column, width });
      used = before + width;
    } else {
      const indent = line ? INDENT : 0;
      const width = Math.min(wanted, Math.max(1, most - indent));
      lines.push({ indent, columns: [{ column, width }] });
      used = indent + width;
    }
  }
  return lines;
}

function rowLines(row: readonly Cell[], layout: readonly Line[]): string[] {
  return layout.flatMap(({ indent, columns }, index) => {
    const parts = columns.map(({ column, width }) => ({
      width,
      paint: row[column]?.paint,
      texts: broken(row[column]?.text ?? '', width),
    }));
    const height = Math.max(...parts.map(({ texts }) => texts.length));
    const lines = Array.from({ length: height }, (_, at) =>
      parts
        .map(({ width, paint, texts }, column) => {
          const text = texts[at] ?? '';
          const isLast = column === parts.length - 1;
          const padded = isLast ? text : pad(text, width);
          return paint ? paint(padded) : padded;
        })
        .join(' '.repeat(GAP))
        .trimEnd(),
    );
    // A second line that has nothing to say would only tear the rows apart.
    return lines.filter((line) => index === 0 || line !== '').map((line) => ' '.repeat(indent) + line);
  });
}

/** Two ids beside each other that end alike are shown with as much as tells them apart. */
function withDistinctIds(rows: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] {
  const among = [...new Set(idsIn(rows.flatMap((row) => row.map(({ text }) => text))))];
  if (among.length === 0) return rows;
  return rows.map((row) =>
    row.map((cell) => {
      const found = idsIn([cell.text]);
      if (found.length === 0) return cell;
      const told = found.reduce((text, id) => text.replaceAll(id, shortId(id, among)), cell.text);
      return { ...cell, text: shortenIds(told) };
    }),
  );
}
