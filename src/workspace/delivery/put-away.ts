import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pruneCheckpoints } from '../checkpoints/prune.ts';
import { BoundGit, type RunGit } from '../git/bound-git.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import { adminEntryOf } from '../worktrees/admin-entry.ts';
import { removeFolder } from '../worktrees/erase.ts';
import { isPresent } from '../worktrees/home.ts';
import { checkoutOf } from './checkouts.ts';
import { type CommitWorkOptions, commitWork } from './commit-work.ts';
import { type ChangeSummary, describeChange } from './describe-change.ts';
import { orRefused, Refusal, type Refused } from './refusal.ts';

export interface DiscardOptions {
  readonly repo: string;
  readonly worktree: string;
  readonly branch: string;
  readonly session: string;
  /** Puts the worktree away, for whoever keeps a list of them. */
  readonly removeWorktree?: (path: string) => Promise<void>;
  readonly run?: RunGit;
}

export interface Discarded {
  readonly kind: 'discarded';
  /** What was there; empty when an earlier call had done it all. */
  readonly removed: readonly string[];
  /** The last commit of the branch: git still finds it by this name for some weeks. */
  readonly commit?: string;
}

/** Removes the session's worktree, branch and checkpoints, in this order, each only if it is there. */
export function discard(options: DiscardOptions): Promise<Discarded | Refused> {
  const { repo, worktree, branch, session, run } = options;
  return orRefused(async () => {
    const git = new BoundGit(repo, run);
    const commonDir = resolve(repo, await git.out(['rev-parse', '--git-common-dir']));
    return withRepoLock({ commonDir }, async () => {
      const removed: string[] = [];
      await refuseElsewhere(git, branch, worktree);
      if (await isPresent(worktree)) {
        await refuseForeignFolder(commonDir, worktree);
        const remove = options.removeWorktree ?? ((path) => removeFolder({ commonDir, dir: git.cwd }, path));
        await remove(worktree);
        removed.push(worktree);
      }
      const commit = await removeBranch(git, branch);
      if (commit !== undefined) removed.push(`refs/heads/${branch}`);
      removed.push(...(await pruneCheckpoints(repo, session, run)));
      return { kind: 'discarded', removed, ...(commit === undefined ? {} : { commit }) };
    });
  });
}

export interface Kept {
  readonly kind: 'kept';
  readonly commit: string;
  readonly change: ChangeSummary;
}

/** Leaves the work on its own branch, all of it committed. */
export async function keep(
  options: CommitWorkOptions & { readonly repo: string; readonly base: string },
): Promise<Kept | Refused> {
  const { repo, base, branch, run } = options;
  if (await isPresent(options.worktree)) {
    const work = await commitWork(options);
    if (work.kind === 'refused') return work;
  }
  return orRefused(async () => {
    const change = await describeChange(repo, base, branch, run);
    return { kind: 'kept', commit: change.commit, change };
  });
}

async function removeBranch(git: BoundGit, branch: string): Promise<string | undefined> {
  const ref = `refs/heads/${branch}`;
  const { code, stdout } = await git.try(['rev-parse', '-q', '--verify', ref]);
  if (code !== 0) return undefined;
  await git.run(['update-ref', '-d', ref, stdout.trim()]);
  return stdout.trim();
}

/** Only a linked worktree of this repository is ours to remove; the user's own checkout never is. */
async function refuseForeignFolder(commonDir: string, worktree: string): Promise<void> {
  if (await adminEntryOf(commonDir, await realpath(worktree))) return;
  throw new Refusal(
    'no-worktree',
    `${worktree} is not a worktree that was made for a session, so it was not removed.`,
    'Undo the changes there by hand, for example with git. Nothing was changed.',
  );
}

/** A branch that somebody has checked out elsewhere is theirs by now. */
async function refuseElsewhere(git: BoundGit, branch: string, worktree: string): Promise<void> {
  const checkout = await checkoutOf(git, branch);
  if (checkout === undefined || (await sameFolder(checkout, worktree))) return;
  throw new Refusal(
    'wrong-branch',
    `The branch ${branch} is checked out in ${checkout}, so it was not discarded.`,
    `Switch ${checkout} to another branch, then try again. Nothing was changed.`,
  );
}

async function sameFolder(one: string, other: string): Promise<boolean> {
  return (await isPresent(other)) && (await realpath(one)) === (await realpath(other));
}
