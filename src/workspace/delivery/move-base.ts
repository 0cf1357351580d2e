import { type BoundGit, explained } from '../git/bound-git.ts';
import { adoptFiles } from './arrived.ts';
import { baseMoved, checkFollows, checkoutOf, fastForward } from './checkouts.ts';

interface Moving {
  readonly base: string;
  readonly session: string;
  /** For the reflog. */
  readonly doing?: 'accept' | 'undo';
}

/** Throws a `Refusal` when a checkout of the base could not follow to a tree. Changes nothing. */
export async function checkMove(git: BoundGit, base: string, from: string, tree: string): Promise<void> {
  const checkout = await checkoutOf(git, base);
  if (checkout === undefined) return;
  await checkFollows(git.in(checkout), from, tree);
}

/** Moves the base to a commit right ahead of it; gives the checkout that had to follow. */
export async function moveBase(
  git: BoundGit,
  { base, session, doing = 'accept' }: Moving,
  from: string,
  to: string,
): Promise<string | undefined> {
  const checkout = await checkoutOf(git, base);
  if (checkout === undefined) {
    const note = `loopwright: ${doing} session ${session}`;
    const args = ['update-ref', '-m', note, `refs/heads/${base}`, to, from];
    const outcome = await git.try(args);
    if (outcome.code === 0) return undefined;
    throw /but expected/.test(outcome.stderr) ? baseMoved() : await explained(git.cwd, args, outcome);
  }
  const there = git.in(checkout);
  const arrived = await checkFollows(there, from, to);
  if (arrived.length > 0) await adoptFiles(there, arrived);
  await fastForward(there, to);
  return checkout;
}
