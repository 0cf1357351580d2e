import type { Paint } from './style.ts';

export interface Cell {
  readonly text: string;
  readonly paint?: Paint;
}

/** Columns as wide as their widest cell; colour is put on after padding, so it does not count. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (Cell | string)[])[],
  dim: Paint,
): string[] {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? { text: cell } : cell)));
  const widths = head.map((title, column) =>
    Math.max(size(title), ...cells.map((row) => size(row[column]?.text ?? ''))),
  );
  const line = (row: readonly Cell[]): string =>
    row
      .map(({ text, paint }, column) => {
        const last = column === row.length - 1;
        const padded = last ? text : text + ' '.repeat((widths[column] ?? 0) - size(text));
        return paint ? paint(padded) : padded;
      })
      .join('  ')
      .trimEnd();
  return [line(head.map((text) => ({ text, paint: dim }))), ...cells.map(line)];
}

function size(text: string): number {
  return Array.from(text).length;
}
