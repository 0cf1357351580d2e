import { resolve } from 'node:path';
import { writeOwnCommit } from '../checkpoints/commit.ts';
import { type OpenedWorktree, openWorktree } from '../checkpoints/open-worktree.ts';
import { BoundGit, explained, type RunGit } from '../git/bound-git.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import { changedPaths, type DiffSummary, summarizeDiff } from '../git/tree-diff.ts';
import { isPresent } from '../worktrees/home.ts';
import { adoptFiles } from './arrived.ts';
import { baseMoved, checkFollows, checkoutOf, fastForward } from './checkouts.ts';
import { checkReady, commitOpened } from './commit-work.ts';
import { commitOf } from './describe-change.ts';
import { deliversAll, findDelivered } from './find-delivered.ts';
import { mergeTrees } from './merge-trees.ts';
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
      if (!moved || attempt === ATTEMPTS) throw error;
    }
  }
}

async function acceptOnce(git: BoundGit, options: AcceptOptions): Promise<AcceptResult> {
  const { base, session } = options;
  const baseCommit = await commitOf(git, base, 'base-unknown');
  const opened = (await isPresent(options.worktree))
    ? await openWorktree(options.worktree, options)
    : undefined;
  const draft = await draftOfWork(git, opened, options, baseCommit);
  if (draft === undefined) return alreadyGone(git, options, baseCommit);
  const earlier = await findDelivered(git, session, baseCommit, await forkPoint(git, baseCommit, draft));
  if (earlier !== undefined && (await deliversAll(git, earlier, draft))) return delivered(git, earlier);
  const planned = await mergedTree(git, baseCommit, draft, base);
  if (planned === (await git.out(['rev-parse', `${baseCommit}^{tree}`]))) {
    return earlier === undefined ? { kind: 'nothing-to-accept' } : delivered(git, earlier);
  }
  await checkMove(git, base, baseCommit, planned);
  // By its id: the files are not looked at again, so nothing can slip in after everything was checked.
  const drafted = await git.out(['rev-parse', `${draft}^{tree}`]);
  const work = opened ? (await commitOpened(opened, { ...options, tree: drafted })).commit : draft;
  const tree = await mergedTree(git, baseCommit, work, base);
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

/** A commit with all of the work, named by nothing yet; undefined when there is neither tree nor branch. */
async function draftOfWork(
  git: BoundGit,
  opened: OpenedWorktree | undefined,
  { branch, session, committedOnly = false, tree: looked }: AcceptOptions,
  baseCommit: string,
): Promise<string | undefined> {
  if (!opened) {
    const { code, stdout } = await git.try(['rev-parse', '-q', '--verify', `refs/heads/${branch}`]);
    return code === 0 ? stdout.trim() : undefined;
  }
  await checkReady(opened.git, branch);
  const head = await opened.git.out(['rev-parse', 'HEAD^{commit}']);
  const tree = looked ?? (await opened.index.stage());
  if ((await git.out(['rev-parse', `${head}^{tree}`])) === tree) return head;
  if (committedOnly) throw uncommitted(opened.git.cwd, await changedPaths(git, head, tree));
  const subject = `loopwright: work of session ${session} on ${baseCommit}`;
  return writeOwnCommit(git, { tree, parents: [head], subject, trailers: {} });
}

function uncommitted(worktree: string, files: readonly string[]): Refusal {
  return new Refusal(
    'uncommitted',
    `${worktree} has changes that are not committed, so nothing has checked them:`,
    'Commit them there to bring them along, or undo them, and try again. Nothing was changed.',
    { files },
  );
}

async function alreadyGone(git: BoundGit, options: AcceptOptions, baseCommit: string): Promise<AcceptResult> {
  const earlier = await findDelivered(git, options.session, baseCommit);
  if (earlier !== undefined) return delivered(git, earlier);
  const what = `Neither the worktree ${options.worktree} nor the branch ${options.branch} is there`;
  throw new Refusal(
    'branch-unknown',
    `${what}, and nothing of the session is in ${options.base}.`,
    'Look for its checkpoints: git for-each-ref refs/loopwright',
  );
}

async function delivered(git: BoundGit, commit: string): Promise<AcceptResult> {
  return { kind: 'already-accepted', commit, change: await summarizeDiff(git, `${commit}^1`, commit) };
}

async function mergedTree(git: BoundGit, base: string, work: string, name: string): Promise<string> {
  const merged = await mergeTrees(git, base, work);
  if (merged.kind === 'clean') return merged.tree;
  throw new Refusal(
    'conflict',
    `The base branch ${name} has changed in the same places as the work: ${merged.files.join(', ')}`,
    `Merge ${name} into the session's branch in its worktree, resolve the conflicts there and try again. Nothing was changed.`,
    { files: merged.files },
  );
}

async function forkPoint(git: BoundGit, base: string, work: string): Promise<string | undefined> {
  const { code, stdout } = await git.try(['merge-base', base, work]);
  return code === 0 ? stdout.trim() : undefined;
}

/** Throws a `Refusal` when a checkout of the base could not follow to a tree. Changes nothing. */
async function checkMove(git: BoundGit, base: string, from: string, tree: string): Promise<void> {
  const checkout = await checkoutOf(git, base);
  if (checkout === undefined) return;
  await checkFollows(git.in(checkout), from, tree);
}

/** Moves the base to a commit right ahead of it; gives the checkout that had to follow. */
async function moveBase(
  git: BoundGit,
  { base, session }: { readonly base: string; readonly session: string },
  from: string,
  to: string,
): Promise<string | undefined> {
  const checkout = await checkoutOf(git, base);
  if (checkout === undefined) {
    const note = `loopwright: accept session ${session}`;
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
