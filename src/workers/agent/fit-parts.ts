/** A part of a prompt. `short` or, for a part with a `title`, its two ends can stand for it. */
export interface Part {
  readonly text: string;
  readonly title?: string;
  readonly short?: string;
  /** Never shortened. */
  readonly keep: boolean;
}

const BETWEEN = '\n\n';
/** What stays of each end of a shortened part. */
const END = 600;

/** Joins the parts within a budget of bytes: the oldest that may be are shortened first, then left out. */
export function fitParts(parts: readonly Part[], budget: number): string {
  const texts = parts.map((part) => part.text);
  let size = texts.reduce((sum, text) => sum + bytes(text) + BETWEEN.length, 0);
  for (const shorten of [withEnds, withoutBody]) {
    for (const [index, part] of parts.entries()) {
      if (size <= budget) return texts.join(BETWEEN);
      if (part.keep) continue;
      const before = texts[index] ?? '';
      const after = shorten(part);
      if (bytes(after) >= bytes(before)) continue;
      texts[index] = after;
      size -= bytes(before) - bytes(after);
    }
  }
  return texts.join(BETWEEN);
}

function withEnds(part: Part): string {
  if (part.short !== undefined) return part.short;
  const characters = Array.from(part.text);
  if (characters.length <= 3 * END) return part.text;
  const left = characters.length - 2 * END;
  const [head, tail] = [characters.slice(0, END).join(''), characters.slice(-END).join('')];
  return `${head}\n[... ${left} characters left out ...]\n${tail}`;
}

function withoutBody(part: Part): string {
  return part.short ?? `${part.title ?? ''}\n(left out: no room)`;
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}
