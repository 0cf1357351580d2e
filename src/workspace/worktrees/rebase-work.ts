import { BoundGit } from '../git/bound-git.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import { isPresent, type WorktreeHome } from './home.ts';
import { readRecord, type WorktreeRecord, writeRecord } from './record.ts';

/** `unclean`: files are not committed. `conflicts`: its commits do not fit. In both cases all is as it was. */
export type Rebased = 'up-to-date' | 'rebased' | 'unclean' | 'conflicts';

/** Without a signature, which somebody might have to be asked for. */
const QUIETLY = ['-c', 'commit.gpgSign=false', '-c', 'rebase.autoStash=false'];

/** Brings the commits of a worktree to where its base is now, if that goes without a conflict. */
export async function rebaseWork(home: WorktreeHome, id: string, base: string): Promise<Rebased> {
  const { repo } = home;
  const record = await readRecord(repo.commonDir, id);
  const target = await commitOf(base, repo.dir);
  if (!record || target === undefined || target === record.baseCommit || !(await isPresent(record.path)))
    return 'up-to-date';
  return withRepoLock(
    repo,
    async () => {
      const rebased = await bringTo(record, target);
      if (rebased === 'rebased') await writeRecord(repo.commonDir, { ...record, baseCommit: target });
      return rebased;
    },
    { purpose: `bringing the work in ${id} to its base` },
  );
}

async function bringTo({ path, baseCommit }: WorktreeRecord, target: string): Promise<Rebased> {
  const git = new BoundGit(path);
  // Done by a process that was killed before it could note it.
  if ((await git.try(['merge-base', '--is-ancestor', target, 'HEAD'])).code === 0) return 'rebased';
  if ((await git.out(['status', '--porcelain'])) !== '') return 'unclean';
  const { code } = await git.try([...QUIETLY, 'rebase', '-q', '--onto', target, baseCommit]);
  if (code === 0) return 'rebased';
  await git.try(['rebase', '--abort']);
  return 'conflicts';
}

async function commitOf(ref: string, cwd: string): Promise<string | undefined> {
  const { code, stdout } = await new BoundGit(cwd).try(['rev-parse', '-q', '--verify', `${ref}^{commit}`]);
  return code === 0 ? stdout.trim() : undefined;
}
