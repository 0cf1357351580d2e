import { closeSync, fstatSync, readSync } from 'node:fs';
import { openPlain } from '../../process/plain-file.ts';

/** The place of every so manieth line is kept: a page is found with a few reads, however long the file is. */
const EVERY = 256;
const PIECE = 1024 * 1024;
const LINE_END = 0x0a;
/** Of one line, beyond which a page would hold a whole file. */
const LONGEST = 64 * 1024;

/** Where the lines of a growing file begin; extended in place. */
export class LogIndex {
  readonly #file: string;
  #places: Float64Array = new Float64Array(64);
  #kept = 1;
  #lines = 0;
  #bytes = 0;
  /** Where the last line begins that has no end yet. */
  #open = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** How many lines there are; a last one without its end counts. */
  get lines(): number {
    return this.#lines + (this.#bytes > this.#open ? 1 : 0);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Looks at what was written since the last time; a file that became shorter is looked at from its beginning. */
  extend(): void {
    const fd = openPlain(this.#file);
    try {
      const { size } = fstatSync(fd);
      if (size < this.#bytes) this.#forget();
      const buffer = Buffer.allocUnsafe(Math.min(PIECE, Math.max(1, size - this.#bytes)));
      while (this.#bytes < size) {
        const read = readSync(fd, buffer, 0, Math.min(buffer.length, size - this.#bytes), this.#bytes);
        if (read === 0) return;
        this.#take(buffer.subarray(0, read));
      }
    } finally {
      closeSync(fd);
    }
  }

  /** So many lines from one on, without their ends. */
  page(from: number, limit: number): string[] {
    const first = Math.max(0, Math.min(from, this.lines));
    const fd = openPlain(this.#file);
    try {
      let skip = first % EVERY;
      let at = this.#places[Math.floor(first / EVERY)] ?? 0;
      const lines: string[] = [];
      let rest = Buffer.alloc(0);
      while (lines.length < limit && at < this.#bytes) {
        const buffer = Buffer.allocUnsafe(Math.min(256 * 1024, this.#bytes - at));
        const read = readSync(fd, buffer, 0, buffer.length, at);
        if (read === 0) break;
        at += read;
        rest = Buffer.concat([rest, buffer.subarray(0, read)]);
        let start = 0;
        for (
          let end = rest.indexOf(LINE_END);
          end >= 0 && lines.length < limit;
          end = rest.indexOf(LINE_END, start)
        ) {
          if (skip > 0) skip--;
          else lines.push(lineIn(rest, start, end));
          start = end + 1;
        }
        rest = rest.subarray(start);
        // What a line has beyond this is not shown, but its end must still be found.
        if (rest.length > LONGEST && rest.indexOf(LINE_END) < 0) rest = rest.subarray(0, LONGEST);
      }
      if (
        lines.length < limit &&
        skip === 0 &&
        at >= this.#bytes &&
        rest.length > 0 &&
        rest.indexOf(LINE_END) < 0
      )
        lines.push(lineIn(rest, 0, rest.length));
      return lines;
    } finally {
      closeSync(fd);
    }
  }

  #take(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END, start)) {
      start = end + 1;
      this.#lines++;
      this.#open = this.#bytes + start;
      if (this.#lines % EVERY === 0) this.#keep(this.#open);
    }
    this.#bytes += bytes.length;
  }

  #keep(place: number): void {
    if (this.#kept === this.#places.length) {
      const longer = new Float64Array(this.#kept * 2);
      longer.set(this.#places);
      this.#places = longer;
    }
    this.#places[this.#kept++] = place;
  }

  #forget(): void {
    this.#places = new Float64Array(64);
    this.#kept = 1;
    this.#lines = 0;
    this.#bytes = 0;
    this.#open = 0;
  }
}

function lineIn(bytes: Buffer, start: number, end: number): string {
  const cut = Math.min(end, start + LONGEST);
  return bytes.toString('utf8', start, cut).replace(/\r$/, '');
}
