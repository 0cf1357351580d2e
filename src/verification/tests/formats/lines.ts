import { isJsonObject } from '../../../kernel/json.ts';
import { type TestEntry, type TestOutcome, WITHIN } from '../inventory.ts';

const GO: { readonly [action: string]: TestOutcome } = { pass: 'passed', fail: 'failed', skip: 'skipped' };

/** What `go test -json` prints; undefined: this is none. A package that does not build has no tests. */
export function readGo(text: string): TestEntry[] | undefined {
  const events = text.split('\n').flatMap(eventIn);
  if (events.length === 0) return undefined;
  const withTests = new Set(events.flatMap(({ test, inside }) => (test === undefined ? [] : [inside])));
  const suites = new Set(events.flatMap(({ inside, test = '' }) => suitesOf(`${inside}${WITHIN}${test}`)));
  return events.flatMap(({ action, inside, test }): TestEntry[] => {
    const outcome = GO[action];
    if (outcome === undefined) return [];
    const name = `${inside}${WITHIN}${test}`;
    if (test !== undefined) return suites.has(name) ? [] : [{ name, outcome }];
    return outcome === 'failed' && !withTests.has(inside) ? [{ name: inside, outcome, load: true }] : [];
  });
}

/** `TestA` and `TestA/b` are the suites of `TestA/b/c`. A slash of the package is none of them. */
function suitesOf(name: string): string[] {
  const start = name.indexOf(WITHIN);
  return [...name.matchAll(/\//g)].flatMap(({ index }) => (index > start ? [name.slice(0, index)] : []));
}

interface GoEvent {
  readonly action: string;
  /** Its package. */
  readonly inside: string;
  readonly test?: string;
}

function eventIn(line: string): GoEvent[] {
  if (!line.startsWith('{')) return [];
  try {
    const event: unknown = JSON.parse(line);
    if (!isJsonObject(event)) return [];
    const { Action: action, Package: inside, Test: test } = event;
    if (typeof action !== 'string' || typeof inside !== 'string') return [];
    return [{ action, inside, ...(typeof test === 'string' ? { test } : {}) }];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

const CARGO: { readonly [word: string]: TestOutcome } = {
  ok: 'passed',
  FAILED: 'failed',
  ignored: 'skipped',
};

/** What `cargo test` prints by itself; undefined: this is none. */
export function readCargo(text: string): TestEntry[] | undefined {
  let target = '';
  let seen = false;
  const tests: TestEntry[] = [];
  for (const line of text.split('\n')) {
    const running = /^\s*(?:Running (?:unittests )?(\S+)|Doc-tests (\S+))/.exec(line);
    if (running) target = running[1] ?? `docs of ${running[2] ?? ''}`;
    if (/^running \d+ tests?$/.test(line)) seen = true;
    const [, name = '', word = ''] =
      /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)\b/.exec(line) ?? [];
    const outcome = CARGO[word];
    if (outcome) tests.push({ name: target === '' ? name : `${target}${WITHIN}${name}`, outcome });
  }
  return seen ? tests : undefined;
}
