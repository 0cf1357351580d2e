import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Requirement rows that are built, by family; each must be named in the title of at least one test. */
const BUILT: Record<string, number[]> = {
  ENG: range(1, 33),
  ACT: range(1, 7),
  WRK: range(1, 30),
  TFX: range(1, 12),
  SES: range(1, 6),
  STR: range(1, 6),
  PTY: range(1, 9),
  ADP: range(1, 11),
  STG: range(1, 18),
  OUT: [1, 2],
  RUN: range(1, 21),
  GRD: range(1, 5),
  VER: range(1, 13),
  POL: range(1, 7),
  CMD: range(1, 10),
  ST: range(1, 8),
  RES: range(1, 10),
  CFG: range(1, 23),
  B: [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 17, 18, 21, 22, 23, 24, 26],
};

describe('requirement rows', () => {
  const titles = ['src', 'test']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(ROOT, folder, String(name))),
    )
    .filter((file) => file.endsWith('.test.ts') && !file.endsWith('rows.test.ts'))
    .flatMap(
      (file) =>
        readFileSync(file, 'utf8').match(/\b(?:it|test|describe)(?:\.each\([\s\S]*?\))?\(\s*['"`][^\n]*/g) ??
        [],
    );

  it.each(Object.entries(BUILT))('%s: every row has a test that names it', (family, numbers) => {
    const named = new Set(titles.flatMap((title) => title.match(/\b[A-Z]+-\d\d\b/g) ?? []));
    const missing = numbers
      .map((n) => `${family}-${String(n).padStart(2, '0')}`)
      .filter((row) => !named.has(row));
    expect(missing).toEqual([]);
  });
});

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
