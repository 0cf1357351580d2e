import { resolve } from 'node:path';
import { BoundGit } from '../git/bound-git.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import { changedPaths, type DiffSummary, summarizeDiff } from '../git/tree-diff.ts';
import { type AcceptOptions, rewritten } from './accept.ts';
import { mergedTree, planDelivery } from './candidate.ts';
import { baseMoved } from './checkouts.ts';
import { commitOpened } from './commit-work.ts';
import { orRefused, type Refused } from './refusal.ts';

export type CommittedBranch =
  | { readonly kind: 'committed'; readonly commit: string; readonly change: DiffSummary }
  | { readonly kind: 'nothing-to-accept' }
  | Refused;

/** Brings all of the work to its own branch, for somebody else to merge; no base moves. */
export function commitBranch(options: AcceptOptions): Promise<CommittedBranch> {
  return orRefused(async () => {
    const git = new BoundGit(options.repo, options.run);
    const commonDir = resolve(options.repo, await git.out(['rev-parse', '--git-common-dir']));
    return withRepoLock({ commonDir }, () => commitLocked(git, options), {
      purpose: `committing the work of session ${options.session}`,
    });
  });
}

async function commitLocked(git: BoundGit, options: AcceptOptions): Promise<CommittedBranch> {
  const { checked } = options;
  const plan = await planDelivery(git, options);
  if (plan.kind !== 'planned') return { kind: 'nothing-to-accept' };
  const { baseCommit, opened, draft, tree } = plan;
  if (checked !== undefined && tree !== checked) throw baseMoved();
  const drafted = await git.out(['rev-parse', `${draft}^{tree}`]);
  const commit = opened ? (await commitOpened(opened, { ...options, tree: drafted })).commit : draft;
  const written = await mergedTree(git, baseCommit, commit, options.base);
  if (checked !== undefined && written !== checked)
    throw rewritten(await changedPaths(git, checked, written));
  const fork = await git.out(['merge-base', baseCommit, commit]);
  return { kind: 'committed', commit, change: await summarizeDiff(git, fork, commit) };
}
