import { readJest, readMocha } from './formats/jest.ts';
import { readJunit } from './formats/junit.ts';
import { readCargo, readGo } from './formats/lines.ts';
import { readTap } from './formats/tap.ts';
import type { TestEntry } from './inventory.ts';

const READERS = {
  junit: readJunit,
  tap: readTap,
  jest: readJest,
  // It writes the format of jest.
  vitest: readJest,
  mocha: readMocha,
  go: readGo,
  cargo: readCargo,
} as const;

export type ReportFormat = keyof typeof READERS;

/** The tests in a report, each name once: runs of the same name are told apart by a number. Undefined: unreadable. */
export function readReport(format: ReportFormat, text: string, root: string): TestEntry[] | undefined {
  const tests = READERS[format](text);
  if (!tests) return undefined;
  const seen = new Map<string, number>();
  return tests.map((test) => {
    const plain = belowRoot(test, root);
    const times = (seen.get(plain.name) ?? 0) + 1;
    seen.set(plain.name, times);
    return times === 1 ? plain : { ...plain, name: `${plain.name} (${times})` };
  });
}

/** The same test has the same name in every folder that it is run in. */
function belowRoot(test: TestEntry, root: string): TestEntry {
  const short = (text: string) => text.replaceAll(`${root}/`, '');
  return { ...test, name: short(test.name), ...(test.file === undefined ? {} : { file: short(test.file) }) };
}
