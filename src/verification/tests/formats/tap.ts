import { type TestEntry, type TestOutcome, WITHIN } from '../inventory.ts';

const RESULT = /^(not )?ok\b(?:\s+\d+)?(?:\s+-)?\s*(.*?)(?:\s+#\s*(skip(?:ped)?|todo)\b.*)?$/i;
const SUBTEST = /^# Subtest: (.*)$/;

interface Level {
  /** Results seen inside of a subtest: one that has some is a suite, not a test. */
  readonly found: TestEntry[];
}

/** The Test Anything Protocol, with subtests as indented lines; undefined: this is none. */
export function readTap(text: string): TestEntry[] | undefined {
  const levels: Level[] = [{ found: [] }];
  let results = 0;
  for (const line of text.split('\n')) {
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    const said = line.trim();
    const depth = Math.floor(indent / 4);
    if (indent % 4 !== 0 || SUBTEST.test(said)) continue;
    const match = RESULT.exec(said);
    if (!match) continue;
    results++;
    while (levels.length <= depth) levels.push({ found: [] });
    const inner = levels.splice(depth + 1).flatMap(({ found }) => found);
    levels[depth]?.found.push(...closed(match, inner));
  }
  return results > 0 || /^1\.\.0|^TAP version/m.test(text) ? (levels[0]?.found ?? []) : undefined;
}

/** A result closes the subtest of its name: the tests inside carry that name from then on. */
function closed([, not, written = '', directive]: RegExpExecArray, inner: readonly TestEntry[]): TestEntry[] {
  const name = written.replaceAll(/\\([#\\])/g, '$1');
  if (inner.length > 0) return inner.map((test) => ({ ...test, name: `${name}${WITHIN}${test.name}` }));
  const outcome: TestOutcome = directive !== undefined ? 'skipped' : not ? 'failed' : 'passed';
  return [isFile(name) ? { name, outcome, file: name, load: true } : { name, outcome }];
}

/** Runners report a file that does not load as a test with the name of the file. */
function isFile(name: string): boolean {
  return /[\\/]/.test(name) && /\.[cm]?[jt]sx?$/.test(name) && !/\s/.test(name);
}
