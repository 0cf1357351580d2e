import { BoundGit } from '../git/bound-git.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import { isPresent, type WorktreeHome } from './home.ts';
import { readRecord, type WorktreeRecord, writeRecord } from './record.ts';

/**
 * Brings a worktree that nobody has worked in yet to where its base branch is now. False when there is nothing
 * to do: it was made from a fixed commit, the base has not moved, or there is work in it already.
 */
export async function followBase(home: WorktreeHome, id: string): Promise<boolean> {
  const { repo } = home;
  const record = await readRecord(repo.commonDir, id);
  if (!record || record.followsBase !== true || (await newBase(home, record)) === undefined) return false;
  return withRepoLock(
    repo,
    async () => {
      const base = await newBase(home, record);
      if (base === undefined || !(await isPresent(record.path))) return false;
      // Moved by a process that was killed before it could note it, or still where it was made.
      const git = new BoundGit(record.path);
      const head = await git.out(['rev-parse', 'HEAD']);
      if (head !== record.baseCommit && head !== base) return false;
      // Keeps what setup changed, and refuses where that meets what is new.
      const { code } = await git.try(['reset', '-q', '--keep', base]);
      if (code !== 0) return false;
      await writeRecord(repo.commonDir, { ...record, baseCommit: base });
      return true;
    },
    { purpose: `bringing the worktree ${id} up to its base` },
  );
}

/** The commit of the base branch, when it is another one than the worktree began at. */
async function newBase({ repo }: WorktreeHome, record: WorktreeRecord): Promise<string | undefined> {
  if (record.baseName === undefined) return undefined;
  const ref = `refs/heads/${record.baseName}^{commit}`;
  const { code, stdout } = await new BoundGit(repo.dir).try(['rev-parse', '-q', '--verify', ref]);
  return code === 0 && stdout.trim() !== record.baseCommit ? stdout.trim() : undefined;
}
