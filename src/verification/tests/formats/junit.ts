import { type TestEntry, WITHIN } from '../inventory.ts';
import { readXml, type XmlElement } from './xml.ts';

/** Reports in the format of JUnit, which most runners can write; undefined: this is none. */
export function readJunit(text: string): TestEntry[] | undefined {
  const root = readXml(text);
  if (root?.name !== 'testsuites' && root?.name !== 'testsuite') return undefined;
  return casesIn(root, []);
}

function casesIn(element: XmlElement, suites: readonly string[]): TestEntry[] {
  const { name, attributes, children } = element;
  if (name === 'testcase') return [entryOf(element, suites)];
  const own = name === 'testsuite' ? (attributes['name'] ?? '') : '';
  const inside = own === '' ? suites : [...suites, own];
  return children.flatMap((child) => casesIn(child, inside));
}

function entryOf({ attributes, children }: XmlElement, suites: readonly string[]): TestEntry {
  const { name = '', classname = '', file } = attributes;
  // The class says where a test stands; the name of the suite is often only that of the run.
  const where = classname === '' ? suites.at(-1) : classname;
  const full = where === undefined || where === '' ? name : `${where}${WITHIN}${name}`;
  const has = (kind: string) => children.some((child) => child.name === kind);
  const outcome = has('failure') || has('error') ? 'failed' : has('skipped') ? 'skipped' : 'passed';
  const load = children.some((child) => isCollecting(child));
  return { name: full, outcome, ...(file === undefined ? {} : { file }), ...(load ? { load: true } : {}) };
}

/** pytest reports a module that cannot be imported as a case with this error. */
function isCollecting({ name, attributes }: XmlElement): boolean {
  return name === 'error' && attributes['message'] === 'collection failure';
}
