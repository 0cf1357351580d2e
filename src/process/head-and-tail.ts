/** The end of a log says more than its beginning. */
const HEAD_SHARE = 0.25;
/** Small writes are gathered into blocks of this size, so a trickle of single bytes costs no memory each. */
const BLOCK = 64 * 1024;

/** Keeps UTF-8 text whole up to a number of bytes; of more than that the beginning and the end. */
export class HeadAndTail {
  readonly #limit: number;
  readonly #headLimit: number;
  #head: Buffer | undefined;
  #blocks: Buffer[] = [];
  #blockBytes = 0;
  #recent: Buffer[] = [];
  #recentBytes = 0;
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#headLimit = Math.floor(limit * HEAD_SHARE);
  }

  get total(): number {
    return this.#total;
  }

  add(bytes: Buffer): void {
    this.#total += bytes.length;
    this.#recent.push(bytes);
    this.#recentBytes += bytes.length;
    const overflows = !this.#head && this.#total > this.#limit;
    if (this.#recentBytes < BLOCK && !overflows) return;
    this.#closeBlock();
    if (overflows) this.#head = this.#cutHead();
    if (this.#head) this.#dropMiddle();
  }

  /** Everything, or the two ends and how many bytes lie between them. */
  read(): { readonly head: string; readonly tail: string; readonly omitted: number } {
    this.#closeBlock();
    const kept = Buffer.concat(this.#blocks);
    if (!this.#head) return { head: kept.toString(), tail: '', omitted: 0 };
    const tail = fromCharacterStart(kept, Math.max(0, kept.length - (this.#limit - this.#headLimit)));
    const omitted = this.#total - this.#head.length - tail.length;
    return { head: this.#head.toString(), tail: tail.toString(), omitted };
  }

  #closeBlock(): void {
    if (this.#recent.length === 0) return;
    this.#blocks.push(Buffer.concat(this.#recent));
    this.#blockBytes += this.#recentBytes;
    this.#recent = [];
    this.#recentBytes = 0;
  }

  #cutHead(): Buffer {
    const all = Buffer.concat(this.#blocks);
    const head = Buffer.from(toCharacterEnd(all, this.#headLimit));
    this.#blocks = [all.subarray(head.length)];
    this.#blockBytes = all.length - head.length;
    return head;
  }

  #dropMiddle(): void {
    const tailLimit = this.#limit - this.#headLimit;
    for (;;) {
      const oldest = this.#blocks[0];
      if (!oldest || this.#blockBytes - oldest.length < tailLimit) return;
      this.#blocks.shift();
      this.#blockBytes -= oldest.length;
    }
  }
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

function fromCharacterStart(bytes: Buffer, from: number): Buffer {
  let start = from;
  while (isContinuation(bytes[start])) start++;
  return bytes.subarray(start);
}

function toCharacterEnd(bytes: Buffer, limit: number): Buffer {
  let end = limit;
  while (end > 0 && isContinuation(bytes[end])) end--;
  return bytes.subarray(0, end);
}
