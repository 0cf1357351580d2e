import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Requirement rows that are built, by family; each must be named in the title of at least one test that is run. */
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

/**
 * This proves that each row is named by a test that is run, not that the test would fail if the behaviour went: that
 * is for whoever writes it to try, by cutting the wire and seeing it fail. It keeps a row from losing its last test
 * unnoticed, when one is renamed, removed or skipped.
 */
describe('requirement rows', () => {
  const files = ['src', 'test']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(ROOT, folder, String(name))),
    )
    .filter((file) => file.endsWith('.test.ts') && !file.endsWith('rows.test.ts'));
  const titles = files.flatMap((file) => titlesIn(file, readFileSync(file, 'utf8')));
  const rowsOf = (some: readonly Title[]) =>
    new Set(some.flatMap(({ text }) => text.match(/\b[A-Z]+-\d\d\b/g) ?? []));

  it.each(Object.entries(BUILT))('%s: every row is named by a test that is run', (family, numbers) => {
    const run = rowsOf(titles.filter(({ skipped }) => !skipped));
    const skipped = rowsOf(titles.filter((title) => title.skipped));
    const missing = numbers
      .map((n) => `${family}-${String(n).padStart(2, '0')}`)
      .filter((row) => !run.has(row))
      .map((row) => (skipped.has(row) ? `${row} (only by tests that are skipped)` : row));
    expect(missing).toEqual([]);
  });

  it('a title counts with the table it is filled from; one that is skipped, or inside what is skipped, does not', () => {
    const source = `
      describe.skip('a', () => { it('XX-01 inside', () => {}); });
      describe('b', () => { it.each([['XX-02', 1]])('%s in a table', () => {}); it.todo('XX-03 later'); });
      test.skip.each([['XX-04']])('%s', () => {}); it.skipIf(isRoot)('XX-05 perhaps', () => {});
      // it('XX-06 in a comment')
      const text = "it('XX-07 in a text')";
    `;
    const found = titlesIn('example.test.ts', source);
    expect([...rowsOf(found.filter(({ skipped }) => !skipped))]).toEqual(['XX-02', 'XX-05']);
    expect([...rowsOf(found.filter(({ skipped }) => skipped))]).toEqual(['XX-01', 'XX-03', 'XX-04']);
  });
});

interface Title {
  readonly text: string;
  readonly skipped: boolean;
}

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Titles of tests and groups, with the table that fills them in, read from the syntax. */
function titlesIn(file: string, source: string): Title[] {
  const titles: Title[] = [];
  const walk = (node: unknown, skipped: boolean): void => {
    if (Array.isArray(node)) for (const each of node) walk(each, skipped);
    if (!isSyntaxNode(node)) return;
    const chain = node.type === 'CallExpression' ? chainOf(node['callee']) : [];
    const isTest = ['it', 'test', 'describe'].includes(chain[0] ?? '');
    const off = skipped || (isTest && chain.some((word) => word === 'skip' || word === 'todo'));
    const [title] = isTest ? (node['arguments'] as SyntaxNode[]) : [];
    if (title && (title.type === 'Literal' || title.type === 'TemplateLiteral')) {
      titles.push({ text: source.slice(node.start, title.end), skipped: off });
    }
    for (const child of Object.values(node)) walk(child, off);
  };
  walk(parseSync(file, source).program, false);
  return titles;
}

/** `it.skip.each(...)` as its words. */
function chainOf(node: unknown): string[] {
  if (!isSyntaxNode(node)) return [];
  if (node.type === 'Identifier') return [String(node['name'])];
  if (node.type === 'CallExpression') return chainOf(node['callee']);
  if (node.type !== 'MemberExpression') return [];
  return [...chainOf(node['object']), ...chainOf(node['property'])];
}

function isSyntaxNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
