import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { countsIn, ranNoTest } from './counts.ts';
import { countsOf, describeInventory, EXIT_CODE_ONLY } from './inventory.ts';
import { type ReportFormat, readReport } from './read-report.ts';

const recorded = (name: string) => readFileSync(new URL(`recorded/${name}`, import.meta.url), 'utf8');

/** The same five tests, written for each runner: one fails, one is skipped. */
const REPORTS: readonly (readonly [ReportFormat, string])[] = [
  ['tap', 'node.tap'],
  ['vitest', 'vitest.json'],
  ['jest', 'jest.json'],
  ['mocha', 'mocha.json'],
  ['junit', 'pytest.xml'],
  ['go', 'go.txt'],
  ['cargo', 'cargo.txt'],
];

describe('CHT-01 the inventory of tests', () => {
  it.each(REPORTS)('%s: five tests, the same inventory (%s)', (format, file) => {
    const tests = readReport(format, recorded(file), '/project') ?? [];
    const plain = tests.map(({ name, outcome }) => {
      const words = name.toLowerCase().replaceAll(/test_?|math|example\.org\/|src\/lib\.rs/g, '');
      return `${/(adds|fails|inner|skipped|last)$/.exec(words)?.[1]} ${outcome}`;
    });
    expect(plain.sort()).toEqual([
      'adds passed',
      'fails failed',
      'inner passed',
      'last passed',
      'skipped skipped',
    ]);
    expect(tests.filter(({ name }) => /suite/i.test(name))).toHaveLength(3);
  });

  it.each([
    ['node.txt', { passed: 3, failed: 1, skipped: 1 }],
    ['vitest.txt', { passed: 3, failed: 1, skipped: 1 }],
    ['jest.txt', { passed: 3, failed: 1, skipped: 1 }],
    ['mocha.txt', { passed: 3, failed: 1, skipped: 1 }],
    ['pytest.txt', { passed: 3, failed: 1, skipped: 1 }],
    ['cargo.txt', { passed: 3, failed: 1, skipped: 1 }],
  ])('without a report, by the summary of %s', (file, counts) => {
    expect(countsIn(recorded(file))).toEqual(counts);
  });

  test('a plain closing line counts too; of any other output only the exit code is known', () => {
    expect(countsIn('...\n12 passed, 1 failed, 3 skipped\n')).toEqual({ passed: 12, failed: 1, skipped: 3 });
    expect(countsIn('  Total:     8\n  Passed:    7\n  Skipped:   2\n')).toEqual({
      passed: 7,
      failed: 1,
      skipped: 2,
    });
    expect(countsIn('all good\n')).toBeUndefined();
    expect(describeInventory(EXIT_CODE_ONLY)).toBe('only the exit code is known');
    expect(describeInventory({ how: 'counts', counts: { passed: 4, failed: 0, skipped: 1 } })).toBe(
      '5 tests, 1 skipped (from its summary)',
    );
  });

  it.each([
    ['# tests 0\n# pass 0\n# fail 0\n', true],
    ['# tests 0\n# pass 0\n# fail 0\n# skipped 3\n', true],
    // One package of many has none.
    ['# tests 2\n# pass 2\n# fail 0\n...\n# tests 0\n# pass 0\n# fail 0\n', false],
    ['  0 passing (1ms)\n', true],
    ['12 passed, 0 failed\n', false],
    ['all good\n', false],
  ])('tells whether nothing was run: %j', (output, none) => expect(ranNoTest(output)).toBe(none));

  it.each([
    ['tap', 'node-load.tap', 'test/b.test.mjs'],
    ['vitest', 'vitest-load.json', 'b.test.js'],
    ['junit', 'pytest-load.xml', 'test_b'],
  ] as const)('%s: a file that does not load is told from a test that fails', (format, file, name) => {
    const tests = readReport(format, recorded(file), '/project') ?? [];
    expect(tests.filter(({ load }) => load)).toMatchObject([{ outcome: 'failed', load: true }]);
    expect(tests.find(({ load }) => load)?.name).toContain(name);
  });

  test('the same name twice is two tests', () => {
    const tests = readReport('tap', 'TAP version 13\nok 1 - a\nok 2 - a\n1..2\n', '/p');
    expect(tests?.map(({ name }) => name)).toEqual(['a', 'a (2)']);
    expect(countsOf({ how: 'report', runner: 'x', tests: tests ?? [] })?.passed).toBe(2);
  });

  test('whatever a command prints or writes, a reader answers or says that it cannot', () => {
    const formats: ReportFormat[] = ['tap', 'vitest', 'jest', 'mocha', 'junit', 'go', 'cargo'];
    const pieces = REPORTS.flatMap(([, file]) => recorded(file).match(/.{1,40}/gs) ?? []);
    fc.assert(
      fc.property(
        fc.constantFrom(...formats),
        fc.oneof(
          fc.string(),
          fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((all) => all.join('')),
        ),
        (format, text) => {
          const tests = readReport(format, text, '/p');
          expect(tests === undefined || tests.every(({ name }) => typeof name === 'string')).toBe(true);
          countsIn(text);
        },
      ),
      { numRuns: 300 },
    );
  });
});
