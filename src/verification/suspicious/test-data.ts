import { posix } from 'node:path';
import type { ChangedFile } from './changed-files.ts';
import type { FileKind } from './file-kinds.ts';
import type { SuspiciousChange } from './segment.ts';

const DATA = /\.(?:json[c5]?|ya?ml|toml|csv|tsv|xml|html?|sql|ndjson|jsonl|txt|dat|bin)$/i;
/** Tests look into these for other reasons. */
const NOT_DATA =
  /(?:^|\/)(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|tsconfig[^/]*\.json|pyproject\.toml|Cargo\.toml|.*lock[^/]*)$/;
/** Past this many a change is about data, and each look costs. */
const MOST_LOOKED_UP = 50;

/**
 * Data of the base that only tests speak of: what they expect can stand there as well as in the tests themselves.
 * Like a snapshot it weighs most where no code was changed with it.
 */
export async function changedTestData(
  files: readonly ChangedFile[],
  kindOf: (path: string) => FileKind,
  naming: (texts: readonly string[]) => Promise<readonly string[]>,
): Promise<SuspiciousChange[]> {
  const data = files.filter(
    ({ path, kind, fileKind }) =>
      kind !== 'added' && (fileKind === 'source' || fileKind === 'documentation') && isData(path),
  );
  const hasCode = files.some(({ fileKind, path }) => fileKind === 'source' && !isData(path));
  const found: SuspiciousChange[] = [];
  for (const { path, kind } of data.slice(0, MOST_LOOKED_UP)) {
    const named = (await naming(textsFor(path))).filter((other) => other !== path);
    const kinds = new Set(named.map(kindOf));
    if (!kinds.has('test') || kinds.has('source') || kinds.has('script')) continue;
    const what = `only tests read it (${named.find((other) => kindOf(other) === 'test')}), and it was ${kind}`;
    found.push({ rule: 'test_data_changed', weight: hasCode ? 'soft' : 'hard', path, what });
  }
  return found;
}

function isData(path: string): boolean {
  return DATA.test(path) && !NOT_DATA.test(path);
}

/** How a file is spoken of: by its name, or without the ending that `require` adds. */
function textsFor(path: string): string[] {
  const name = posix.basename(path);
  const stem = posix.basename(path, posix.extname(path));
  return [name, `/${stem}'`, `/${stem}"`];
}
