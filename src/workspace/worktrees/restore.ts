import { LoopwrightError, NotFoundError } from '../../kernel/errors.ts';
import { BoundGit } from '../git/bound-git.ts';
import { explainGitLock } from '../git/git-locks.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import { finishLeftover, removeFolder } from './erase.ts';
import { isPresent, keepOutOfStatus, type WorktreeHome } from './home.ts';
import { inspect } from './inspect.ts';
import { readRecord, type WorktreeRecord, writeRecord } from './record.ts';

/**
 * Makes the folder of a known worktree again after it was deleted by hand, from its branch. Uncommitted files
 * come back only from a checkpoint, which the caller restores on top. A folder that is there is left alone.
 */
export function restoreWorktree(home: WorktreeHome, id: string): Promise<WorktreeRecord> {
  const { repo } = home;
  return withRepoLock(
    repo,
    async () => {
      await finishLeftover(home, id);
      const record = await readRecord(repo.commonDir, id);
      if (!record) throw new NotFoundError(`There is no worktree ${id}.`, { next: 'Make it again.' });
      const { health, branchCommit } = await inspect(home, record);
      if (health !== 'missing') return record;
      if (await isPresent(record.path)) throw inTheWay(record.path);
      await keepOutOfStatus(home);
      await addAgain(home, record, branchCommit);
      return record;
    },
    { purpose: `restoring the worktree ${id}` },
  );
}

async function addAgain(
  { repo, root, onStep }: WorktreeHome,
  record: WorktreeRecord,
  branchCommit: string | undefined,
): Promise<void> {
  const { id, path, branch, baseCommit } = record;
  await removeFolder(repo, path, root);
  // A branch that went too starts again at the base.
  const what = branchCommit === undefined ? ['--no-track', '-b', branch, path, baseCommit] : [path, branch];
  onStep('recording', id);
  await writeRecord(repo.commonDir, { ...record, state: 'restoring' });
  onStep('adding', id);
  try {
    await new BoundGit(repo.dir).raw(['worktree', 'add', '--quiet', ...what]);
    onStep('finishing', id);
    await writeRecord(repo.commonDir, record);
  } catch (error) {
    await removeFolder(repo, path, root);
    await writeRecord(repo.commonDir, record);
    throw await explainGitLock(error);
  }
}

function inTheWay(path: string): LoopwrightError {
  return new LoopwrightError(`${path} is there but is no longer a working worktree: its .git file is gone.`, {
    next: 'Move what you need from it away, remove it, and try again.',
  });
}
