import { resolve } from 'node:path';
import { writeOwnCommit } from '../checkpoints/commit.ts';
import { type OpenedWorktree, openWorktree } from '../checkpoints/open-worktree.ts';
import { BoundGit } from '../git/bound-git.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import { changedPaths, summarizeDiff } from '../git/tree-diff.ts';
import { isPresent } from '../worktrees/home.ts';
import type { AcceptOptions, AcceptResult } from './accept.ts';
import { checkReady } from './commit-work.ts';
import { commitOf } from './describe-change.ts';
import { deliversAll, findDelivered, findUndone } from './find-delivered.ts';
import { mergeTrees } from './merge-trees.ts';
import { checkMove } from './move-base.ts';
import { orRefused, Refusal, type Refused } from './refusal.ts';

/** What the base branch would have after a delivery. Nothing is changed by finding it out. */
export interface Candidate {
  readonly kind: 'planned';
  /** The commit of the base that it is built on. */
  readonly baseCommit: string;
  readonly tree: string;
  /** A commit with all of the work, named by nothing yet. */
  readonly draft: string;
  readonly opened: OpenedWorktree | undefined;
  /** The commit that delivered it before and was undone since. */
  readonly undone?: string | undefined;
}

/** Nothing is left to deliver, because it was delivered, or because there is nothing. */
type Settled = Exclude<AcceptResult, Refused>;

/** Builds the tree that would be on the base, or says why there is none to build. */
export function buildCandidate(
  options: AcceptOptions,
): Promise<Pick<Candidate, 'kind' | 'baseCommit' | 'tree'> | Settled | Refused> {
  return orRefused(async () => {
    const git = new BoundGit(options.repo, options.run);
    const commonDir = resolve(options.repo, await git.out(['rev-parse', '--git-common-dir']));
    return withRepoLock({ commonDir }, () => planDelivery(git, options), {
      purpose: `looking at what session ${options.session} would deliver`,
    });
  });
}

/** Throws a `Refusal` for everything that can be found out without changing anything. */
export async function planDelivery(git: BoundGit, options: AcceptOptions): Promise<Candidate | Settled> {
  const { base, session } = options;
  const baseCommit = options.onto ?? (await commitOf(git, base, 'base-unknown'));
  const opened = (await isPresent(options.worktree))
    ? await openWorktree(options.worktree, options)
    : undefined;
  const drafted = await draftOfWork(git, opened, options, baseCommit);
  if (drafted === undefined) return goneOrAgain(git, options, baseCommit);
  const since = await forkPoint(git, baseCommit, drafted);
  const earlier = await findDelivered(git, session, baseCommit, since);
  if (earlier !== undefined && (await deliversAll(git, earlier, drafted))) return delivered(git, earlier);
  const undone = earlier === undefined ? await findUndone(git, session, baseCommit) : undefined;
  const draft = undone === undefined ? drafted : await besides(git, undone, drafted, session);
  const tree = await mergedTree(git, baseCommit, draft, base);
  if (tree === (await git.out(['rev-parse', `${baseCommit}^{tree}`]))) {
    return earlier === undefined ? { kind: 'nothing-to-accept' } : delivered(git, earlier);
  }
  // A checkout follows only where the base of this repository moves.
  if (options.onto === undefined) await checkMove(git, base, baseCommit, tree);
  return { kind: 'planned', baseCommit, tree, draft, opened, undone };
}

/** Undefined when there is neither tree nor branch. */
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

/** Its files and its branch are gone: what it delivered is still in the base, also after it was undone there. */
async function goneOrAgain(
  git: BoundGit,
  options: AcceptOptions,
  baseCommit: string,
): Promise<Candidate | Settled> {
  const { session, base } = options;
  const earlier = await findDelivered(git, session, baseCommit);
  if (earlier !== undefined) return delivered(git, earlier);
  const undone = await findUndone(git, session, baseCommit);
  if (undone === undefined) throw nothingLeft(options);
  const draft = await besides(git, undone, undone, session);
  const tree = await mergedTree(git, baseCommit, draft, base);
  if (tree === (await git.out(['rev-parse', `${baseCommit}^{tree}`]))) return { kind: 'nothing-to-accept' };
  await checkMove(git, base, baseCommit, tree);
  return { kind: 'planned', baseCommit, tree, draft, opened: undefined, undone };
}

function nothingLeft({ worktree, branch, base }: AcceptOptions): Refusal {
  return new Refusal(
    'branch-unknown',
    `Neither the worktree ${worktree} nor the branch ${branch} is there, and nothing of the session is in ${base}.`,
    'Look for its checkpoints: git for-each-ref refs/loopwright',
  );
}

/**
 * The work as a commit beside the delivery that was undone: git takes what was merged and reverted for known, and
 * would bring nothing of it.
 */
export async function besides(git: BoundGit, undone: string, work: string, session: string): Promise<string> {
  const before = await git.out(['rev-parse', `${undone}^1`]);
  const fork = work === undone ? before : ((await forkPoint(git, before, work)) ?? before);
  const tree = await git.out(['rev-parse', `${work}^{tree}`]);
  const subject = `loopwright: work of session ${session} once more`;
  return writeOwnCommit(git, { tree, parents: [fork], subject, trailers: {} });
}

async function delivered(git: BoundGit, commit: string): Promise<Settled> {
  return { kind: 'already-accepted', commit, change: await summarizeDiff(git, `${commit}^1`, commit) };
}

export async function mergedTree(git: BoundGit, base: string, work: string, name: string): Promise<string> {
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
