import { encodedForms } from './encoded-forms.ts';
import { jsonForms } from './json-escapes.ts';
import { CredentialStream } from './url-credentials.ts';

export interface MaskStream {
  /** The part of the text so far that no later text can turn into a secret, masked. */
  push(text: string): string;
  /** What was held back, masked. */
  end(): string;
  /** Whether anything was replaced so far. */
  readonly masked: boolean;
}

export interface Masker {
  mask(text: string): string;
  contains(text: string): boolean;
  stream(): MaskStream;
}

export const MASK = '***';

/** Shorter values (`true`, `8080`) would turn ordinary text into stars. */
const SHORTEST_SECRET = 8;

export function createMasker(secrets: readonly string[]): Masker {
  const known = knownForms(secrets);
  if (known.length === 0) return unmasked;
  const tree = new SecretTree(known);
  return {
    mask(text) {
      const stream = new BothStream(new TreeStream(tree));
      return stream.push(text) + stream.end();
    },
    contains(text) {
      const stream = new TreeStream(tree);
      stream.push(text);
      stream.end();
      return stream.masked;
    },
    stream: () => new BothStream(new TreeStream(tree)),
  };
}

/** Without a known secret there are still passwords in addresses. */
const unmasked: Masker = {
  mask(text) {
    const stream = new CredentialStream(MASK);
    return stream.push(text) + stream.end();
  },
  contains: () => false,
  stream: () => new CredentialStream(MASK),
};

/** Known secrets first, then what an address carries. */
class BothStream implements MaskStream {
  readonly #known: TreeStream;
  readonly #addresses = new CredentialStream(MASK);

  constructor(known: TreeStream) {
    this.#known = known;
  }

  get masked(): boolean {
    return this.#known.masked || this.#addresses.masked;
  }

  push(text: string): string {
    return this.#addresses.push(this.#known.push(text));
  }

  end(): string {
    return this.#addresses.push(this.#known.end()) + this.#addresses.end();
  }
}

/** Lines of a key file count too, and so do encodings and JSON, also JSON that is a text inside other JSON. */
function knownForms(secrets: readonly string[]): string[] {
  const lines = secrets.flatMap((secret) => secret.split(/\r?\n/).map((line) => line.trim()));
  const plain = [...secrets, ...lines].filter((secret) => secret.length >= SHORTEST_SECRET);
  const inJson = plain.flatMap(jsonForms);
  const encoded = plain.flatMap(encodedForms);
  return [...new Set([...plain, ...encoded, ...inJson, ...inJson.flatMap(jsonForms)])];
}

/** No secret is shorter. */
const LETTERS = 3;

function beginning(first: number, second: number, third: number): number {
  return (first * 961 + second * 31 + third) & 0xffff;
}

interface Node {
  readonly next: Map<number, Node>;
  /** A secret ends here. */
  isEnd: boolean;
}

/** All secrets by their letters, so that looking at one place costs the same for one secret as for a hundred. */
class SecretTree {
  readonly #root: Node = { next: new Map(), isEnd: false };
  /** Which beginnings there are, by their first letters: almost every place is passed over without a closer look. */
  readonly #begins = new Uint8Array(1 << 16);

  constructor(secrets: readonly string[]) {
    for (const secret of secrets) {
      this.#add(secret);
      this.#begins[beginning(secret.charCodeAt(0), secret.charCodeAt(1), secret.charCodeAt(2))] = 1;
    }
  }

  /** The next place where a secret could begin, or -1. */
  nextBegin(text: string, from: number): number {
    const last = text.length - LETTERS;
    if (from > last) return from < text.length ? from : -1;
    const begins = this.#begins;
    let first = text.charCodeAt(from);
    let second = text.charCodeAt(from + 1);
    for (let at = from; at <= last; at++) {
      const third = text.charCodeAt(at + 2);
      if (begins[beginning(first, second, third)] === 1) return at;
      first = second;
      second = third;
    }
    // Too little is left to tell: it may be the beginning of one.
    return last + 1;
  }

  /** The end of the longest secret that begins here, or -1; `open`: more text could make it a longer one. */
  look(text: string, at: number): { end: number; open: boolean } {
    let node: Node | undefined = this.#root;
    let end = -1;
    for (let i = at; i < text.length; i++) {
      node = node.next.get(text.charCodeAt(i));
      if (!node) return { end, open: false };
      if (node.isEnd) end = i + 1;
    }
    return { end, open: node.next.size > 0 };
  }

  #add(secret: string): void {
    let node = this.#root;
    for (let i = 0; i < secret.length; i++) {
      const code = secret.charCodeAt(i);
      const next: Node = node.next.get(code) ?? { next: new Map(), isEnd: false };
      node.next.set(code, next);
      node = next;
    }
    node.isEnd = true;
  }
}

/**
 * Equal to masking the whole text at once, whatever the cuts: from the first place where the text so far
 * could be the beginning of a secret, everything waits for the next piece.
 */
class TreeStream implements MaskStream {
  readonly #tree: SecretTree;
  #waiting = '';
  #masked = false;

  constructor(tree: SecretTree) {
    this.#tree = tree;
  }

  get masked(): boolean {
    return this.#masked;
  }

  push(piece: string): string {
    return this.#take(this.#waiting + piece, { more: true });
  }

  end(): string {
    return this.#take(this.#waiting, { more: false });
  }

  #take(text: string, { more }: { more: boolean }): string {
    this.#waiting = '';
    let done = '';
    let kept = 0;
    let at = this.#tree.nextBegin(text, 0);
    while (at >= 0) {
      const { end, open } = this.#tree.look(text, at);
      if (open && more) {
        this.#waiting = text.slice(at);
        return done + text.slice(kept, at);
      }
      if (end >= 0) {
        done += text.slice(kept, at) + MASK;
        this.#masked = true;
        kept = end;
      }
      at = this.#tree.nextBegin(text, end >= 0 ? end : at + 1);
    }
    return done + text.slice(kept);
  }
}
