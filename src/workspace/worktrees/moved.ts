import { join } from 'node:path';
import { git } from '../git/run-git.ts';
import { adminEntryOf, gitDirNamedIn, readAdminEntries } from './admin-entry.ts';
import type { Finding } from './finding.ts';
import { isPresent, type WorktreeHome } from './home.ts';
import { type WorktreeRecord, writeRecord } from './record.ts';

/**
 * A worktree and its repository name each other by absolute paths, so after a move of either both lead nowhere.
 * Found by comparing them; `git worktree repair` writes both anew. A copied repository is the same case: the
 * copy's entries are pointed at the copy's folders, and the original is not touched.
 */
export async function healMoved(home: WorktreeHome, record: WorktreeRecord): Promise<Finding | undefined> {
  const { repo, root } = home;
  const usual = join(root, record.id);
  const [inUsual, inRecorded] = await Promise.all([gitDirNamedIn(usual), gitDirNamedIn(record.path)]);
  const path =
    inUsual !== undefined && (inRecorded === undefined || isCopy(repo.commonDir, inRecorded))
      ? usual
      : record.path;
  const named = path === usual ? inUsual : inRecorded;
  if (named === undefined) return undefined;
  const entry = await adminEntryOf(repo.commonDir, path);
  const agree = entry?.dir === named && (await isPresent(named));
  if (agree && path === record.path) return undefined;
  const known = (await readAdminEntries(repo.commonDir)).some(({ name }) =>
    named.endsWith(`/worktrees/${name}`),
  );
  if (!known) return lost(record, path);
  await git(['worktree', 'repair', path], { cwd: repo.dir });
  await writeRecord(repo.commonDir, { ...record, path });
  const message = `The worktree ${record.id} is now at ${path}; git was told.`;
  return { kind: 'moved', id: record.id, path, healed: true, message };
}

/** The recorded folder belongs to another repository: the one that ours was copied from. */
function isCopy(commonDir: string, gitDir: string): boolean {
  return !gitDir.startsWith(`${commonDir}/`);
}

function lost({ id }: WorktreeRecord, path: string): Finding {
  return {
    kind: 'moved',
    id,
    path,
    healed: false,
    message: `The repository has no entry for the worktree ${path} any more.`,
    next: 'Save what you need from it, then remove it and restore the session.',
  };
}
