import type { BoundGit } from '../git/bound-git.ts';
import { mergeTrees } from './merge-trees.ts';
import { SESSION_TRAILER, TASK_TRAILER } from './message.ts';

/**
 * The newest commit on a base branch that says it delivered the session or the task, unless it was undone since. With
 * `since`, the commit where the work left the base, only from there on; that one included, because a branch that was
 * taken over as it is meets the base at its own last commit.
 */
export async function findDelivered(
  git: BoundGit,
  id: string,
  base: string,
  since?: string,
): Promise<string | undefined> {
  const found = await newestNaming(git, id, base, since);
  return found === undefined || (await isUndone(git, found, base)) ? undefined : found;
}

/** The newest commit on a base branch that delivered the session or the task and was undone since. */
export async function findUndone(git: BoundGit, id: string, base: string): Promise<string | undefined> {
  const found = await newestNaming(git, id, base);
  return found !== undefined && (await isUndone(git, found, base)) ? found : undefined;
}

async function newestNaming(
  git: BoundGit,
  id: string,
  base: string,
  since?: string,
): Promise<string | undefined> {
  const named = ['--format=%H', '-E', `--grep=^(${SESSION_TRAILER}|${TASK_TRAILER}): ${id}$`];
  const range = since === undefined ? base : `${since}..${base}`;
  const after = await git.out(['log', '-1', '--first-parent', ...named, range, '--']);
  if (after !== '' || since === undefined) return after || undefined;
  return (await git.out(['log', '--no-walk', ...named, since, '--'])) || undefined;
}

/** As git itself words it, so that a person's own revert counts too; one that was reverted in turn does not. */
async function isUndone(git: BoundGit, commit: string, base: string): Promise<boolean> {
  const says = ['--format=%H', '-F', `--grep=This reverts commit ${commit}`];
  const revert = await git.out(['log', '-1', '--first-parent', ...says, `${commit}..${base}`, '--']);
  return revert !== '' && !(await isUndone(git, revert, base));
}

/** Whether delivering the work again onto what was there before would give the very same tree. */
export async function deliversAll(git: BoundGit, delivered: string, work: string): Promise<boolean> {
  const before = await git.try(['rev-parse', '-q', '--verify', `${delivered}^1`]);
  if (before.code !== 0) return false;
  const merged = await mergeTrees(git, before.stdout.trim(), work);
  const tree = await git.out(['rev-parse', `${delivered}^{tree}`]);
  return merged.kind === 'clean' && merged.tree === tree;
}
