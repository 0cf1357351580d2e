import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { advise } from '../../kernel/action.ts';
import { gitDirNamedIn, readAdminEntries } from './admin-entry.ts';
import type { Finding } from './finding.ts';
import type { WorktreeHome } from './home.ts';
import { type WorktreeRecord, writeRecord } from './record.ts';

/**
 * A worktree and its repository name each other by absolute paths, so after a move of either both lead nowhere.
 * Both are written again. Not by `git worktree repair`: in a repository that was copied it follows the folder's
 * old path and redirects the original's entry to the copy.
 */
export async function healMoved(home: WorktreeHome, record: WorktreeRecord): Promise<Finding | undefined> {
  const { commonDir } = home.repo;
  const usual = join(home.root, record.id);
  const [inUsual, inRecorded] = await Promise.all([gitDirNamedIn(usual), gitDirNamedIn(record.path)]);
  const stays = inUsual === undefined || (inRecorded !== undefined && isBelow(commonDir, inRecorded));
  const path = stays ? record.path : usual;
  const named = stays ? inRecorded : inUsual;
  if (named === undefined) return undefined;
  const entries = await readAdminEntries(commonDir);
  const entry = entries.find(({ name }) => name === basename(named));
  if (!entry) return lost(record, path);
  if (entry.dir === named && entry.folder === path) return undefined;
  await writeFile(join(entry.dir, 'gitdir'), `${join(path, '.git')}\n`);
  await writeFile(join(path, '.git'), `gitdir: ${entry.dir}\n`);
  await writeRecord(commonDir, { ...record, path });
  const message = `The worktree ${record.id} is now at ${path}; git's record was updated.`;
  return { kind: 'moved', id: record.id, path, healed: true, message };
}

/** Otherwise the recorded folder belongs to another repository: the one that ours was copied from. */
export function isBelow(commonDir: string, gitDir: string): boolean {
  return gitDir.startsWith(`${commonDir}/`);
}

function lost({ id }: WorktreeRecord, path: string): Finding {
  return {
    kind: 'moved',
    id,
    path,
    healed: false,
    message: `The repository no longer has an entry for the worktree ${path}.`,
    next: advise('Save what you need from it, then remove it and restore the session.'),
  };
}
