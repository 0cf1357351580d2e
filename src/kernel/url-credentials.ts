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
    for (let at = text.indexOf(BEFORE); at >= 0; at = text.indexOf(BEFORE, from)) {
      const start = at + BEFORE.length;
      USERINFO.lastIndex = start;
      const info = USERINFO.exec(text)?.[0] ?? '';
      const end = start + info.length;
      if (end === text.length && more && info.length < LONGEST) {
        this.#waiting = text.slice(start);
        return this.#out(done + text.slice(from, start), known, BEFORE);
      }
      const colon = info.indexOf(':');
      const secret = text[end] === '@' && info.length <= LONGEST ? info.slice(colon + 1) : '';
      // A lone name is a password where it is long, as a token is; `git@` is none.
      const isSecret = colon >= 0 ? secret !== '' : secret.length >= 16;
      done += text.slice(from, isSecret ? end - secret.length : end);
      if (isSecret && secret !== this.#mask) {
        done += this.#mask;
        this.masked = true;
      } else if (isSecret) done += secret;
      from = end;
    }
    const shown = done + text.slice(from);
    return this.#out(shown, known, /:\/?$/.exec(shown)?.[0] ?? '');
  }

  #out(shown: string, known: number, tail: string): string {
    this.#tail = tail;
    return shown.slice(known);
  }
}
