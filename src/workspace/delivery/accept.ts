import { resolve } from 'node:path';
import type { OpenedWorktree } from '../checkpoints/open-worktree.ts';
import { BoundGit, type RunGit } from '../git/bound-git.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import { changedPaths, type DiffSummary, summarizeDiff } from '../git/tree-diff.ts';
import { besides, mergedTree, planDelivery } from './candidate.ts';
import { baseMoved } from './checkouts.ts';
import { commitOpened } from './commit-work.ts';
import { moveBase } from './move-base.ts';
import { orRefused, Refusal, type Refused } from './refusal.ts';
import { writeDelivery } from './write-delivery.ts';

export interface AcceptOptions {
  /** Any folder of the repository. */
  readonly repo: string;
  /** The session's worktree; when it is gone, what the branch has is delivered. */
  readonly worktree: string;
  readonly branch: string;
  readonly base: string;
  readonly session: string;
  /** `squash`: one commit on the base; `merge`: a merge commit that keeps the branch's own. */
  readonly mode: 'squash' | 'merge';
  readonly message: string;
  readonly exclude?: readonly string[];
  /** The tree that was looked at and found proven: it is delivered by this id, whatever the files are by now. */
  readonly tree?: string;
  /** The tree that the base may get, since the checks passed on it: any other one is refused. */
  readonly checked?: string;
  /** Held against this commit instead of the local base: where the remote has it. */
  readonly onto?: string;
  /** The lines that name the work in the commit; that of the session when left out. */
  readonly trailers?: { readonly [name: string]: string };
  /** Refuses what the worktree holds beyond its branch: nobody has checked it. */
  readonly committedOnly?: boolean;
  /** Without the user's hooks, when they cannot be trusted. */
  readonly withoutHooks?: boolean;
  readonly run?: RunGit;
}

export type AcceptResult =
  | {
      /** `already-accepted`: an earlier call delivered exactly this. */
      readonly kind: 'accepted' | 'already-accepted';
      readonly commit: string;
      /** What came to the base. */
      readonly change: DiffSummary;
      /** The checkout that has the base checked out and followed. */
      readonly checkout?: string | undefined;
    }
  | { readonly kind: 'nothing-to-accept' }
  | Refused;

const ATTEMPTS = 3;

/**
 * Brings a session's work into its base branch. Invariants:
 * 1. Everything that can be refused is found out before anything is changed; only hooks refuse later, and
 *    what was staged for them is put back.
 * 2. The base moves in one step, from the commit that was looked at, or not at all.
 * 3. A checkout of the base follows first and the branch moves last, so a kill in between is seen as files
 *    that have arrived already, never as changes that go backwards.
 * 4. What an earlier call delivered is recognised by its trailer and its content.
 */
export function accept(options: AcceptOptions): Promise<AcceptResult> {
  return orRefused(async () => {
    const git = new BoundGit(options.repo, options.run);
    const commonDir = resolve(options.repo, await git.out(['rev-parse', '--git-common-dir']));
    return withRepoLock({ commonDir }, () => acceptLocked(git, options), {
      purpose: `accepting session ${options.session}`,
    });
  });
}

async function acceptLocked(git: BoundGit, options: AcceptOptions): Promise<AcceptResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await acceptOnce(git, options);
    } catch (error) {
      const moved = error instanceof Refusal && error.refused.reason === 'base-moved';
      // What was checked is for another base then: whoever checked it has to begin anew.
      if (!moved || options.checked !== undefined || attempt === ATTEMPTS) throw error;
    }
  }
}

async function acceptOnce(git: BoundGit, options: AcceptOptions): Promise<AcceptResult> {
  const { base, checked } = options;
  const plan = await planDelivery(git, options);
  if (plan.kind !== 'planned') return plan;
  const { baseCommit, opened, draft } = plan;
  // Another tree than the one that was checked: the base has moved meanwhile, or the work has changed.
  if (checked !== undefined && plan.tree !== checked) throw baseMoved();
  // By its id: the files are not looked at again, so nothing can slip in after everything was checked.
  const drafted = await git.out(['rev-parse', `${draft}^{tree}`]);
  const work = opened ? await committed(git, opened, { ...options, tree: drafted }, plan.undone) : draft;
  const tree = await mergedTree(git, baseCommit, work, base);
  if (checked !== undefined && tree !== checked) throw rewritten(await changedPaths(git, checked, tree));
  const commit = await writeDelivery(git, options.withoutHooks ? undefined : opened, options, {
    tree,
    base: baseCommit,
    work,
  });
  const checkout = await moveBase(git, options, baseCommit, commit);
  return {
    kind: 'accepted',
    commit,
    change: await summarizeDiff(git, baseCommit, commit),
    checkout,
  };
}

/** The work as a commit of its branch; beside it, where that was delivered and undone before. */
async function committed(
  git: BoundGit,
  opened: OpenedWorktree,
  options: AcceptOptions,
  undone: string | undefined,
): Promise<string> {
  const { commit } = await commitOpened(opened, options);
  return undone === undefined ? commit : besides(git, undone, commit, options.session);
}

export function rewritten(files: readonly string[]): Refusal {
  return new Refusal(
    'rewritten',
    'The hooks of the repository changed what was checked, so the result is not what was proven:',
    'Try again: the work is committed to its own branch as the hooks left it.',
    { files },
  );
}
