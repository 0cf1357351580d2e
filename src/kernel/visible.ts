/**
 * What a terminal would obey instead of showing it: control characters of both sets, marks that turn the direction of
 * writing, and marks that cannot be seen. Line ends and tabs are text; joiners belong to letters and pictures.
 */
const OBEYED =
  /[^\P{Cc}\n\t]|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** The colours that loopwright itself paints with. */
// oxlint-disable-next-line no-control-regex -- that is how a colour begins
const PAINT = /\u001b\[(?:0|1|2|22|31|32|33|36|39)m/g;

/** Many of the same, such as the zeros of a file with a hole in it, are counted. */
const MANY = new RegExp(`(${OBEYED.source})\\1{15,}`, 'gu');

/** Text that is shown and not obeyed: what could steer the terminal stands there by its number, as in `\u202e`. */
export function visible(text: string): string {
  const counted = text.replaceAll(
    MANY,
    (run, letter: string) => `${escaped(letter)}{${run.length / letter.length}}`,
  );
  return counted.replaceAll(OBEYED, escaped);
}

/** The same for a whole line of ours, in which our own colours stay. */
export function visibleLine(text: string): string {
  OBEYED.lastIndex = 0;
  if (!OBEYED.test(text)) return text;
  let shown = '';
  let from = 0;
  for (const match of text.matchAll(PAINT)) {
    shown += visible(text.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return shown + visible(text.slice(from));
}

function escaped(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  if (code > 0xffff)
    return Array.from({ length: letter.length }, (_, i) => escapedUnit(letter.charCodeAt(i))).join('');
  return escapedUnit(code);
}

/** As JSON writes it too, so that a document stays what it was. */
function escapedUnit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
