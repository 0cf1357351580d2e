import picomatch from 'picomatch';
import tables from './tables.json' with { type: 'json' };

/** What a file is to a check. `script`: a check runs it, or is written in it. */
export type FileKind = 'test' | 'snapshot' | 'settings' | 'ci' | 'documentation' | 'script' | 'source';

type Listed = keyof typeof tables.kinds;

let matchers: readonly (readonly [Listed, (path: string) => boolean])[] | undefined;

/** The first kind in this order that a path is of. */
const ORDER: readonly Listed[] = ['snapshot', 'settings', 'ci', 'test', 'documentation'];

/** What a path is by its name; `scripts` are the files that checks run or are written in. */
export function kindOf(path: string, scripts: ReadonlySet<string> = new Set()): FileKind {
  matchers ??= ORDER.map((kind) => [kind, picomatch(tables.kinds[kind], { dot: true })]);
  const listed = matchers.find(([, matches]) => matches(path))?.[0];
  // A script that is called a test is one: it may grow, and its old form is held against the new code.
  if (scripts.has(path) && listed !== 'test' && listed !== 'settings') return 'script';
  return listed ?? 'source';
}
