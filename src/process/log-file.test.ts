import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LogFile } from './log-file.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lw-log-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

function written(most: number | undefined, ...pieces: readonly string[]): string {
  const log = new LogFile(join(dir, 'logs', 'a.log'), most);
  for (const piece of pieces) log.writeText(piece);
  log.close();
  expect(log.failure).toBeUndefined();
  return readFileSync(log.path, 'utf8');
}

it('keeps everything', () => {
  expect(written(undefined, 'one\n', 'zwölf\n')).toBe('one\nzwölf\n');
  expect(written(100, 'one\n')).toBe('one\n');
});

it('that is full keeps the beginning, says so once, and takes nothing more', () => {
  const full = '\n[the log is full: what came after this was not kept]\n';
  expect(written(6, 'one\n', 'two\n', 'three\n')).toBe(`one\ntw${full}`);
  expect(written(4, 'one\n', 'two\n')).toBe(`one\n${full}`);
});
