import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { suspiciousFiles, withKinds } from '../../src/verification/suspicious/changed-files.ts';
import { kindOf } from '../../src/verification/suspicious/file-kinds.ts';
import { suspiciousLines } from '../../src/verification/suspicious/lines.ts';
import { readDiffLines } from '../../src/workspace/git/diff-lines.ts';

/** Half of them are changes of this very repository, half are made up, in five languages. */
const diffs = readFileSync(new URL('innocent/diffs.txt', import.meta.url), 'utf8')
  .split(/^### \d+\n/m)
  .filter((text) => text !== '');

/** What a diff looks like to whoever looks for weakened checks, without running anything. */
function foundIn(diff: string) {
  const lines = readDiffLines(diff);
  const changes = lines.map(({ path, isNew, added, removed }) => ({
    path,
    top: path,
    kind: isNew ? ('added' as const) : ('modified' as const),
    insertions: added.length,
    deletions: removed.length,
    binary: false,
  }));
  return [...suspiciousFiles(withKinds(changes, kindOf)), ...suspiciousLines(lines, kindOf)];
}

test('CHT-05 of 200 innocent changes at most 2 % stop for a person', () => {
  expect(diffs).toHaveLength(200);
  const flagged = diffs.map(foundIn).filter((found) => found.some(({ weight }) => weight === 'hard'));
  expect(flagged.length, JSON.stringify(flagged, null, 1)).toBeLessThanOrEqual(4);
});
