import { type Action, action } from '../../kernel/action.ts';
import { ConflictError } from '../../kernel/errors.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import type { OpenedSession } from './opened-session.ts';

/** The branch that was named, else the one the session started from, else the one that is checked out. */
export async function baseOf(
  { id, worktree, repo }: OpenedSession,
  into: string | undefined,
): Promise<string> {
  if (into !== undefined) return into;
  const started = worktree?.baseName;
  const current = repo.head.kind === 'detached' ? undefined : repo.head.branch;
  const base = started ?? current;
  if (base === undefined) {
    throw new ConflictError('There is no branch to accept into: the checkout has a detached HEAD.', {
      next: intoBranch(id),
    });
  }
  const { code } = await new BoundGit(repo.dir).try(['show-ref', '--verify', '-q', `refs/heads/${base}`]);
  if (code === 0) return base;
  throw new ConflictError(`The session started from ${base}, which is not a branch of this repository.`, {
    next: intoBranch(id),
  });
}

function intoBranch(session: string): Action {
  return action('session.accept', 'Name the branch to accept into', { session, into: '<branch>' });
}
