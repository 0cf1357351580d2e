import type { BoundGit } from '../git/bound-git.ts';
import { mergeTrees } from './merge-trees.ts';
import { SESSION_TRAILER } from './message.ts';

/**
 * The newest commit on a base branch that says it delivered the session. With `since`, the commit where the
 * work left the base, only from there on; that one included, because a branch that was taken over as it is
 * meets the base at its own last commit.
 */
export async function findDelivered(
  git: BoundGit,
  session: string,
  base: string,
  since?: string,
): Promise<string | undefined> {
  const named = ['--format=%H', '-E', `--grep=^${SESSION_TRAILER}: ${session}$`];
  const range = since === undefined ? base : `${since}..${base}`;
  const after = await git.out(['log', '-1', '--first-parent', ...named, range, '--']);
  if (after !== '' || since === undefined) return after || undefined;
  return (await git.out(['log', '--no-walk', ...named, since, '--'])) || undefined;
}

/** Whether delivering the work again onto what was there before would give the very same tree. */
export async function deliversAll(git: BoundGit, delivered: string, work: string): Promise<boolean> {
  const before = await git.try(['rev-parse', '-q', '--verify', `${delivered}^1`]);
  if (before.code !== 0) return false;
  const merged = await mergeTrees(git, before.stdout.trim(), work);
  const tree = await git.out(['rev-parse', `${delivered}^{tree}`]);
  return merged.kind === 'clean' && merged.tree === tree;
}
