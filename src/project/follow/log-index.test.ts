import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogIndex } from './log-index.ts';

describe('the lines of a log', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lw-log-'));
    file = join(folder, 'a.log');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are found wherever they are, as a whole reading finds them, however the file grew', () => {
    const line = fc.string({ maxLength: 30 }).map((text) => text.replaceAll(/[\n\r]/g, ' '));
    const pieces = fc.array(fc.tuple(fc.array(line, { maxLength: 400 }), fc.boolean()), { maxLength: 6 });
    fc.assert(
      fc.property(pieces, fc.nat(1500), fc.integer({ min: 1, max: 300 }), (grown, from, limit) => {
        writeFileSync(file, '');
        const index = new LogIndex(file);
        let text = '';
        for (const [lines, ended] of grown) {
          const piece = lines.join('\n') + (ended ? '\n' : '');
          appendFileSync(file, piece);
          text += piece;
          index.extend();
        }
        const all = text === '' ? [] : text.replace(/\n$/, '').split('\n');
        expect(index.lines).toBe(all.length);
        expect(index.page(from, limit)).toEqual(all.slice(from, from + limit));
      }),
      { numRuns: 100 },
    );
  });

  it('are read anew where the file became shorter, and one without an end is cut', () => {
    writeFileSync(file, 'one\ntwo\nthree');
    const index = new LogIndex(file);
    index.extend();
    expect([index.lines, index.page(1, 5)]).toEqual([3, ['two', 'three']]);
    truncateSync(file, 4);
    index.extend();
    expect([index.lines, index.page(0, 5)]).toEqual([1, ['one']]);
    writeFileSync(file, `${'x'.repeat(300_000)}\nnext\n`);
    index.extend();
    const [long, next] = index.page(0, 2);
    expect([long?.length, next]).toEqual([64 * 1024, 'next']);
  });
});
