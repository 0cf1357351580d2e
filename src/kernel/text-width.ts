const segmenter = new Intl.Segmenter();
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60]|\p{Emoji_Presentation}/u;

/** How many columns a text takes on a terminal. */
export function size(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  return letters(text).reduce((sum, letter) => sum + widthOf(letter), 0);
}

/** Spaces up to that width. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - size(text)));
}

/** A text in lines of at most so many columns, broken between words; a longer word is cut. */
export function broken(text: string, width: number): string[] {
  if (size(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((each) => pieces(each, width))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (size(longer) <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

function pieces(word: string, width: number): string[] {
  const parts = [''];
  for (const letter of letters(word)) {
    const last = parts.at(-1) ?? '';
    if (last === '' || size(last) + widthOf(letter) <= width) parts[parts.length - 1] = last + letter;
    else parts.push(letter);
  }
  return parts;
}

function letters(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function widthOf(letter: string): number {
  return WIDE.test(letter) ? 2 : 1;
}
