import { isJsonObject, type JsonValue } from '../../../kernel/json.ts';
import { type TestEntry, type TestOutcome, WITHIN } from '../inventory.ts';

/** The JSON that jest writes, and vitest in the same form; undefined: this is none. */
export function readJest(text: string): TestEntry[] | undefined {
  const document = parsed(text);
  const files = isJsonObject(document) ? document['testResults'] : undefined;
  return Array.isArray(files) ? files.flatMap(ofFile) : undefined;
}

function ofFile(result: JsonValue): TestEntry[] {
  if (!isJsonObject(result)) return [];
  const file = textOf(result['name']);
  const tests = Array.isArray(result['assertionResults']) ? result['assertionResults'] : [];
  if (tests.length === 0 && result['status'] === 'failed')
    return [{ name: file, outcome: 'failed', file, load: true }];
  return tests.flatMap((test) => {
    if (!isJsonObject(test)) return [];
    const suites = Array.isArray(test['ancestorTitles']) ? test['ancestorTitles'].map(textOf) : [];
    const names = [...suites.filter((suite) => suite !== ''), textOf(test['title'])];
    return [{ name: names.join(WITHIN), outcome: outcomeOf(test['status']), file }];
  });
}

/** The JSON that mocha writes; undefined: this is none. */
export function readMocha(text: string): TestEntry[] | undefined {
  const document = parsed(text);
  if (!isJsonObject(document) || !isJsonObject(document['stats'])) return undefined;
  const of = (key: string, outcome: TestOutcome): TestEntry[] =>
    (Array.isArray(document[key]) ? document[key] : []).flatMap((test) => {
      if (!isJsonObject(test)) return [];
      const file = textOf(test['file']);
      return [{ name: textOf(test['fullTitle']), outcome, ...(file === '' ? {} : { file }) }];
    });
  return [...of('passes', 'passed'), ...of('failures', 'failed'), ...of('pending', 'skipped')];
}

function outcomeOf(status: JsonValue | undefined): TestOutcome {
  if (status === 'passed' || status === 'failed') return status;
  return 'skipped';
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
