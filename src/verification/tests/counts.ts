import type { TestCounts } from './inventory.ts';

type Reader = (text: string) => TestCounts | undefined;

/** A number that stands beside a word, 0 where it does not. */
const beside = (text: string, pattern: RegExp): number =>
  // What a test prints stands before the summary of its runner.
  Number([...text.matchAll(pattern)].at(-1)?.[1] ?? 0);

/** A line like `12 passed, 1 skipped`: each word with its number in front. */
const named =
  (line: RegExp): Reader =>
  (text) => {
    const found = [...text.matchAll(line)].at(-1)?.[0];
    if (found === undefined) return undefined;
    const sum = (words: string) =>
      [...found.matchAll(new RegExp(`(\\d+) (?:${words})\\b`, 'g'))].reduce(
        (all, [, n]) => all + Number(n),
        0,
      );
    const counts = {
      passed: sum('passed|passing|ok'),
      failed: sum('failed|failing|errors?'),
      skipped: sum('skipped|pending|todo|ignored|xfailed|deselected|disabled'),
    };
    return counts.passed + counts.failed + counts.skipped === 0 && !/\b0\b/.test(found) ? undefined : counts;
  };

/** `# pass 3`, one word a line. */
const nodeTest: Reader = (text) => {
  if (!/^[#ℹ] tests \d+$/m.test(text)) return undefined;
  const of = (word: string) => beside(text, new RegExp(`^[#ℹ] ${word} (\\d+)$`, 'gm'));
  return { passed: of('pass'), failed: of('fail') + of('cancelled'), skipped: of('skipped') + of('todo') };
};

/** One line in parts: `  3 passing (5ms)` and so on. */
const mocha: Reader = (text) => {
  if (!/^\s+\d+ passing \(/m.test(text)) return undefined;
  const of = (word: string) => beside(text, new RegExp(`^\\s+(\\d+) ${word}\\b`, 'gm'));
  return { passed: of('passing'), failed: of('failing'), skipped: of('pending') };
};

/** Several results of `cargo test`, one for each target. */
const cargo: Reader = (text) => {
  const lines = [...text.matchAll(/^test result: .*?(\d+) passed; (\d+) failed; (\d+) ignored/gm)];
  if (lines.length === 0) return undefined;
  const sum = (at: number) => lines.reduce((all, line) => all + Number(line[at]), 0);
  return { passed: sum(1), failed: sum(2), skipped: sum(3) };
};

/** One word a line: `Total:  8`, `Passed: 7`, `Skipped: 1`. */
const listed: Reader = (text) => {
  const of = (word: string) =>
    [...text.matchAll(new RegExp(`^\\s*${word}:\\s+(\\d+)\\s*$`, 'gm'))].at(-1)?.[1];
  const [total, passed, skipped] = [of('Total'), of('Passed'), of('Skipped')].map((found) =>
    found === undefined ? undefined : Number(found),
  );
  if (total === undefined || passed === undefined) return undefined;
  return { passed, failed: Math.max(0, total - passed), skipped: skipped ?? 0 };
};

const READERS: readonly Reader[] = [
  nodeTest,
  mocha,
  cargo,
  // uvu and others.
  listed,
  // vitest and jest.
  named(/^\s*Tests:?\s+.*\d+ (?:passed|failed|skipped|todo).*$/gm),
  // pytest.
  named(/^=*\s*(?:\d+ \w+, )*\d+ (?:passed|failed|skipped|errors?)\b.* in [\d.]+s.*$/gm),
  // The plain closing line that many scripts print.
  named(/^(?:\w+: )?\d+ passed, \d+ failed(?:, \d+ skipped)?$/gm),
];

const ESCAPE = String.fromCharCode(27);
const COLOURS = new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g');

/** A run of several packages has several summaries: one that names tests is enough. */
const SOME_TESTS =
  /[1-9]\d* (?:passed|passing|failed|failing|ok|tests?)\b|\b(?:pass|passed|tests|fail)\b:?\s+[1-9]/i;

/** Whether a run says that it found nothing to run. */
export function ranNoTest(output: string): boolean {
  const text = output.replaceAll(COLOURS, '');
  const counts = countsIn(text);
  return counts !== undefined && counts.passed + counts.failed === 0 && !SOME_TESTS.test(text);
}

/** How many tests a run had, by the summary at its end; undefined: it has none that is known. */
export function countsIn(output: string): TestCounts | undefined {
  const text = output.replaceAll(COLOURS, '');
  for (const read of READERS) {
    const counts = read(text);
    if (counts) return counts;
  }
  return undefined;
}
