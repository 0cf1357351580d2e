import picomatch from 'picomatch';
import tables from './tables.json' with { type: 'json' };

/** What a file is to a check. `script`: a check runs it, or is written in it. */
export type FileKind = 'test' | 'snapshot' | 'settings' | 'ci' | 'documentation' | 'script' | 'source';

type Listed = keyof typeof tables.kinds;

let matchers: readonly (readonly [Listed, (path: string) => boolean])[] | undefined;

/** The first kind in this order that a path is of. */
const ORDER: readonly Listed[] = ['snapshot', 'settings', 'ci', 'test', 'documentation'];

/** What a path is by its name. */
export function kindOf(path: string): FileKind {
  matchers ??= ORDER.map((kind) => [kind, picomatch(tables.kinds[kind], { dot: true })]);
  return matchers.find(([, matches]) => matches(path))?.[0] ?? 'source';
}

/** What is known of the files of the checks beyond their names. */
export interface OfChecks {
  /** Files that checks run or are written in. */
  readonly scripts: ReadonlySet<string>;
  /** Patterns of files that a check hands to a test runner. */
  readonly tested?: ReadonlySet<string>;
}

/** What a path is to these checks. */
export function kindsWith({ scripts, tested = new Set() }: OfChecks): (path: string) => FileKind {
  const isTested = tested.size === 0 ? () => false : picomatch([...tested], { dot: true });
  return (path) => {
    const listed = kindOf(path);
    if (listed === 'test' || listed === 'settings') return listed;
    // A script that is run as a test is one: it may grow, and its old form is held against the new code.
    if (listed === 'source' && isTested(path)) return 'test';
    return scripts.has(path) ? 'script' : listed;
  };
}
