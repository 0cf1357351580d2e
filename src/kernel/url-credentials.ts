/** Longer than any name and password that an address carries. */
const LONGEST = 512;
const USERINFO = /[^\s/?#@'"<>\\|]*/y;
const BEFORE = '://';

/**
 * Takes passwords out of addresses (`https://user:password@host`, connection strings) in a stream of text, wherever
 * it is cut. Only what stands behind `://` is held back, and only until it can be told.
 */
export class CredentialStream {
  #waiting = '';
  /** The end of what was given out, where an address may have begun. */
  #tail = '';
  masked = false;
  readonly #mask: string;

  constructor(mask: string) {
    this.#mask = mask;
  }

  push(piece: string): string {
    return this.#take(piece, { more: true });
  }

  end(): string {
    return this.#take('', { more: false });
  }

  #take(piece: string, { more }: { readonly more: boolean }): string {
    const known = this.#tail.length;
    const text = this.#tail + this.#waiting + piece;
    this.#waiting = '';
    let done = '';
    let from = 0;
    for (let at = text.indexOf(BEFORE); at >= 0; ) {
      const start = at + BEFORE.length;
      USERINFO.lastIndex = start;
      USERINFO.test(text);
      const end = USERINFO.lastIndex;
      if (end === text.length && more && end - start <= LONGEST) {
        this.#waiting = text.slice(start);
        return this.#out(done + text.slice(from, start), known, BEFORE);
      }
      const secret = text[end] === '@' ? secretOf(text.slice(start, end)) : '';
      if (secret !== '' && secret !== this.#mask) {
        done += text.slice(from, end - secret.length) + this.#mask;
        from = end;
        this.masked = true;
      }
      // The last colon of what was read may begin the next address: `://https://`.
      at = text.indexOf(BEFORE, end - 1);
    }
    const shown = done + text.slice(from);
    return this.#out(shown, known, /:\/?$/.exec(shown)?.[0] ?? '');
  }

  #out(shown: string, known: number, tail: string): string {
    this.#tail = tail;
    return shown.slice(known);
  }
}

/** The password of what stands before an `@`. A lone name is one where it is as long as a token; `git@` is none. */
function secretOf(info: string): string {
  if (info.length > LONGEST) return '';
  const colon = info.indexOf(':');
  return colon >= 0 ? info.slice(colon + 1) : info.length >= 16 ? info : '';
}
