export interface JsonMistake {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

const MAX_DEPTH = 200;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z_$][\w$]*/y;

class Mistake extends Error {
  readonly at: number;

  constructor(at: number, reason: string) {
    super(reason);
    this.at = at;
  }
}

/**
 * The first thing in a text that is not JSON, or undefined. The words and the position of JSON.parse differ
 * between Node versions, and it takes a repeated key in silence: the first of two blocks would be lost.
 */
export function findJsonMistake(text: string): JsonMistake | undefined {
  try {
    const end = skipSpace(text, readValue(text, skipSpace(text, 0), 0));
    if (end < text.length) throw new Mistake(end, 'The JSON has ended before this; remove what follows.');
    return undefined;
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    const before = text.slice(0, error.at).split('\n');
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, reason: error.message };
  }
}

/** Each reader takes the position of its first character and gives the one after its last. */
function readValue(text: string, at: number, depth: number): number {
  if (depth > MAX_DEPTH) throw new Mistake(at, `This is nested deeper than ${MAX_DEPTH} levels.`);
  const char = text[at];
  if (char === '{') return readMembers(text, at, depth);
  if (char === '[') return readEntries(text, at, depth);
  if (char === '"') return readString(text, at);
  const number = match(NUMBER, text, at);
  if (number) return at + number.length;
  const word = match(WORD, text, at);
  if (word === 'true' || word === 'false' || word === 'null') return at + word.length;
  throw new Mistake(at, wrongValue(char, word));
}

function wrongValue(char: string | undefined, word: string | undefined): string {
  if (char === undefined) return 'The text ends where a value is expected; a bracket or a value is missing.';
  if (char === ']' || char === '}') return `A value is expected before "${char}"; a comma too many?`;
  if (char === "'") return 'Texts need double quotes, not single ones.';
  if (char === '/') return 'JSON has no comments; use a "description" instead.';
  if (word) return `"${word}" is not a value; a text stands in double quotes.`;
  return `A value is expected here, not ${JSON.stringify(char)}.`;
}

function readMembers(text: string, open: number, depth: number): number {
  const seen = new Set<string>();
  let at = skipSpace(text, open + 1);
  if (text[at] === '}') return at + 1;
  for (;;) {
    if (text[at] !== '"') throw new Mistake(at, wrongKey(text[at]));
    const keyEnd = readString(text, at);
    const key = text.slice(at, keyEnd);
    if (seen.has(key))
      throw new Mistake(at, `The key ${key} stands twice in this object; rename or remove one.`);
    seen.add(key);
    at = skipSpace(text, keyEnd);
    if (text[at] !== ':') throw new Mistake(at, `A colon is expected after the key ${key}.`);
    at = skipSpace(text, readValue(text, skipSpace(text, at + 1), depth + 1));
    if (text[at] === '}') return at + 1;
    if (text[at] !== ',') throw new Mistake(at, `A comma or "}" is expected after the value of ${key}.`);
    at = skipSpace(text, at + 1);
  }
}

function wrongKey(char: string | undefined): string {
  if (char === undefined) return 'The text ends inside an object; a "}" is missing.';
  if (char === '}') return 'There is a comma before this "}"; remove the comma.';
  if (char === '/') return 'JSON has no comments; use a "description" instead.';
  return 'A key in double quotes is expected here.';
}

function readEntries(text: string, open: number, depth: number): number {
  let at = skipSpace(text, open + 1);
  if (text[at] === ']') return at + 1;
  for (;;) {
    at = skipSpace(text, readValue(text, at, depth + 1));
    if (text[at] === ']') return at + 1;
    if (text[at] !== ',') throw new Mistake(at, 'A comma or "]" is expected here.');
    at = skipSpace(text, at + 1);
  }
}

function readString(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '"') return at + 1;
    if (char < ' ')
      throw new Mistake(at, 'A text cannot hold a line break or tab as such; close it, or write \\n or \\t.');
    if (char !== '\\') continue;
    const escape = match(/["\\/bfnrt]|u[0-9a-fA-F]{4}/y, text, at + 1);
    if (!escape) throw new Mistake(at, 'This is not an escape; a backslash itself is written \\\\.');
    at += escape.length;
  }
  throw new Mistake(open, 'This text is not closed; a double quote is missing.');
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\r'.includes(text[at] ?? '')) at++;
  return at;
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
