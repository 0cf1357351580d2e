/**
 * Text without what is meant for a terminal: colours, cursor movements, titles, control characters. What stays is
 * text, tabs and line feeds, and blanks where the cursor was moved over them: some programs write no others. However the
 * text is cut into pieces, the result is the same. Invariants:
 * 1. Memory is constant: of a sequence only its kind and its length so far are kept.
 * 2. A sequence that does not end swallows at most `LONGEST_SEQUENCE` characters, a title no line feed.
 * 3. A carriage return ends a line where something stands in it, and never makes a second line end.
 */
export class Cleaner {
  #state: State = 'text';
  /** How much the open sequence has swallowed. */
  #length = 0;
  /** The one number of an open cursor movement; undefined where it is something else. */
  #number: number | undefined;
  #returned = false;
  #lineStart = true;

  push(text: string): string {
    if (this.#state === 'text' && !this.#returned && !SPECIAL.test(text)) {
      if (text !== '') this.#lineStart = text.endsWith('\n');
      return text;
    }
    let clean = '';
    for (let at = 0; at < text.length; ) {
      if (this.#state === 'text') {
        const end = nextSpecial(text, at);
        if (end > at) clean += this.#plain(text.slice(at, end));
        at = sequenceEnd(text, end);
        if (at > end && text.charCodeAt(at - 1) === FORWARD) at = end;
        if (at === end && at < text.length) this.#control(text.charCodeAt(at++));
      } else {
        const code = text.charCodeAt(at);
        if (this.#state === 'csi' && code === FORWARD) clean += this.#forward();
        if (this.#swallow(code)) at++;
      }
    }
    return clean;
  }

  /** Plain text, tabs and line feeds. */
  #plain(text: string): string {
    const before = this.#returned && text[0] !== '\n' ? this.#lineEnd() : '';
    this.#returned = false;
    this.#lineStart = text.endsWith('\n');
    return before + text;
  }

  #forward(): string {
    if (this.#number === undefined) return '';
    return this.#plain(' '.repeat(Math.min(Math.max(1, this.#number), MOST_BLANKS)));
  }

  #lineEnd(): string {
    return this.#lineStart ? '' : '\n';
  }

  /** Anything else, outside of a sequence. Nothing of it is text. */
  #control(code: number): void {
    if (code === CR) this.#returned = true;
    else this.#open(code === ESC ? 'escape' : (EIGHT_BIT.get(code) ?? 'text'));
  }

  #open(state: State): void {
    this.#state = state;
    this.#length = 0;
    this.#number = 0;
  }

  /** One character inside a sequence; false when it does not belong to it and is to be looked at as text. */
  #swallow(code: number): boolean {
    if (++this.#length > LONGEST_SEQUENCE || code === CAN || code === SUB) {
      this.#open('text');
      return code === CAN || code === SUB;
    }
    if (code === ESC) {
      this.#open('escape');
      return true;
    }
    switch (this.#state) {
      case 'escape':
        return this.#afterEscape(code);
      case 'csi':
      case 'intermediate':
        return this.#untilFinal(code);
      default:
        return this.#untilTerminator(code);
    }
  }

  #afterEscape(code: number): boolean {
    if (code < 0x20 || code > 0x7e) return this.#abandon();
    this.#open(SEVEN_BIT.get(code) ?? (code < 0x30 ? 'intermediate' : 'text'));
    return true;
  }

  /** Parameters and intermediates are below 0x40; what ends a short escape begins at 0x30. */
  #untilFinal(code: number): boolean {
    if (code < 0x20 || code > 0x7e) return this.#abandon();
    if (code >= (this.#state === 'csi' ? 0x40 : 0x30)) this.#open('text');
    else this.#number = code >= 0x30 && code <= 0x39 ? withDigit(this.#number, code - 0x30) : undefined;
    return true;
  }

  #untilTerminator(code: number): boolean {
    if (code === LF && this.#state !== 'string') return this.#abandon();
    if (code === ST || (code === BEL && this.#state === 'title')) this.#open('text');
    return true;
  }

  #abandon(): false {
    this.#open('text');
    return false;
  }
}

/** Without memory: what is cut off at the end is left out. */
export function strip(text: string): string {
  return new Cleaner().push(text);
}

/**
 * `title`: an operating system command, which holds no line feed. `string`: a device control, privacy message,
 * application command or start of string. `line`: the same begun by a single character. That is more often half of a
 * badly encoded quotation mark, so it must not reach beyond its line.
 */
type State = 'text' | 'escape' | 'intermediate' | 'csi' | 'title' | 'string' | 'line';

const LONGEST_SEQUENCE = 64 * 1024;
/** A wide terminal's line. */
const MOST_BLANKS = 250;
const FORWARD = 0x43;
const [BEL, LF, CR, CAN, SUB, ESC, ST] = [0x07, 0x0a, 0x0d, 0x18, 0x1a, 0x1b, 0x9c];

const SEVEN_BIT = new Map<number, State>([
  [0x5b, 'csi'],
  [0x5d, 'title'],
  [0x50, 'string'],
  [0x58, 'string'],
  [0x5e, 'string'],
  [0x5f, 'string'],
]);

const EIGHT_BIT = new Map<number, State>([
  [0x9b, 'csi'],
  [0x9d, 'title'],
  [0x90, 'line'],
  [0x98, 'line'],
  [0x9e, 'line'],
  [0x9f, 'line'],
]);

/** Control characters except tab and line feed. */
// oxlint-disable-next-line no-control-regex -- they are what this file is about
const SPECIAL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const SPECIAL_FROM = new RegExp(SPECIAL, 'g');
/** A whole colour or movement of ordinary length: the shortcut for nearly everything that a terminal is sent. */
// oxlint-disable-next-line no-control-regex -- see above
const WHOLE_SEQUENCE = /\x1b\[[0-?]{0,32}[ -/]{0,2}[@-~]/y;

function nextSpecial(text: string, from: number): number {
  SPECIAL_FROM.lastIndex = from;
  return SPECIAL_FROM.exec(text)?.index ?? text.length;
}

/** Where the sequence that begins here ends; the same place where it is none that can be seen at once. */
function sequenceEnd(text: string, at: number): number {
  WHOLE_SEQUENCE.lastIndex = at;
  return WHOLE_SEQUENCE.test(text) ? WHOLE_SEQUENCE.lastIndex : at;
}

function withDigit(number: number | undefined, digit: number): number | undefined {
  return number === undefined ? undefined : Math.min(number * 10 + digit, MOST_BLANKS);
}
