import type { Scenario } from './stubs.ts';

export interface Actual {
  readonly status: string;
  readonly path: readonly string[];
}

/** What is different from the expectation, as lines for a person; none when all is as expected. */
export function differences(expected: Scenario['expect'], actual: Actual): string[] {
  if (!expected) return [];
  const lines: string[] = [];
  if (expected.status !== undefined && expected.status !== actual.status) {
    lines.push(`status: expected ${expected.status}, got ${actual.status}`);
  }
  if (expected.path && !equal(expected.path, actual.path))
    lines.push(...pathLines(expected.path, actual.path));
  return lines;
}

function pathLines(expected: readonly string[], actual: readonly string[]): string[] {
  const width = Math.max('expected'.length, ...expected.map((block) => block.length));
  const rows = Array.from({ length: Math.max(expected.length, actual.length) }, (_, index) => {
    const [wanted = '-', got = '-'] = [expected[index], actual[index]];
    const mark = wanted === got ? ' ' : '✗';
    return `${mark} ${String(index + 1).padStart(3)}  ${wanted.padEnd(width)}  ${got}`;
  });
  return ['path:', `       ${'expected'.padEnd(width)}  got`, ...rows];
}

function equal(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}
