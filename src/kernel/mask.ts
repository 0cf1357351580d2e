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
  const pattern = new RegExp(known.map(escapeForPattern).join('|'), 'g');
  return {
    mask: (text) => text.replace(pattern, MASK),
    contains: (text) => text.search(pattern) >= 0,
    stream: () => maskStream(known, pattern),
  };
}

const unmasked: Masker = {
  mask: (text) => text,
  contains: () => false,
  stream: () => ({ push: (text) => text, end: () => '', masked: false }),
};

/** Longest first, so a secret that begins with another one is replaced whole. Lines of a key file count too. */
function knownForms(secrets: readonly string[]): string[] {
  const lines = secrets.flatMap((secret) => secret.split(/\r?\n/).map((line) => line.trim()));
  const long = [...secrets, ...lines].filter((secret) => secret.length >= SHORTEST_SECRET);
  return [...new Set(long)].sort((a, b) => b.length - a.length);
}

function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

/**
 * Equal to masking the whole text at once, whatever the cuts: from the first place where the text so far
 * could be the beginning of a secret, everything waits for the next piece.
 */
function maskStream(known: readonly string[], pattern: RegExp): MaskStream {
  const longest = known[0]?.length ?? 0;
  let waiting = '';
  let masked = false;

  const openFrom = (text: string, from: number, to: number): number => {
    for (let at = Math.max(from, text.length - longest + 1); at <= to && at < text.length; at++) {
      const rest = text.slice(at);
      if (known.some((secret) => secret.length > rest.length && secret.startsWith(rest))) return at;
    }
    return -1;
  };

  const push = (piece: string): string => {
    const text = waiting + piece;
    let done = '';
    let at = 0;
    for (;;) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      const open = openFrom(text, at, match ? match.index : text.length);
      if (open >= 0 || !match) {
        const end = open >= 0 ? open : text.length;
        waiting = text.slice(end);
        return done + text.slice(at, end);
      }
      done += text.slice(at, match.index) + MASK;
      masked = true;
      at = match.index + match[0].length;
    }
  };

  const end = (): string => {
    const rest = waiting.replace(pattern, MASK);
    masked ||= rest !== waiting;
    waiting = '';
    return rest;
  };

  return {
    push,
    end,
    get masked() {
      return masked;
    },
  };
}
