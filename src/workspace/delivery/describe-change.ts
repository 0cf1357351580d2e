import { BoundGit, type RunGit } from '../git/bound-git.ts';
import { type DiffSummary, summarizeDiff } from '../git/tree-diff.ts';
import { Refusal } from './refusal.ts';

/** What a branch brings to its base: the diff that a local run is delivered as. */
export interface ChangeSummary extends DiffSummary {
  readonly base: string;
  readonly branch: string;
  /** Where the branch left the base: changes of the base since then are not counted. */
  readonly from: string;
  readonly commit: string;
}

/** `base` is a branch or the commit that the work began from; with a `commit` the branch is not asked where it is by now. */
export async function describeChange(
  repo: string,
  base: string,
  work: string | { readonly branch: string; readonly commit: string },
  run?: RunGit,
): Promise<ChangeSummary> {
  const git = new BoundGit(repo, run);
  const named = typeof work !== 'string';
  const branch = named ? work.branch : work;
  const [baseCommit, commit] = await Promise.all([
    baseCommitOf(git, base),
    named ? work.commit : commitOf(git, branch, 'branch-unknown'),
  ]);
  const { code, stdout } = await git.try(['merge-base', baseCommit, commit]);
  const from = code === 0 ? stdout.trim() : baseCommit;
  return { base, branch, from, commit, ...(await summarizeDiff(git, from, commit)) };
}

async function baseCommitOf(git: BoundGit, base: string): Promise<string> {
  const isCommit = /^[0-9a-f]{40,64}$/.test(base);
  return isCommit ? base : commitOf(git, base, 'base-unknown');
}

/** The commit of a local branch. */
export async function commitOf(
  git: BoundGit,
  branch: string,
  reason: 'base-unknown' | 'branch-unknown',
): Promise<string> {
  const { code, stdout } = await git.try(['rev-parse', '-q', '--verify', `refs/heads/${branch}^{commit}`]);
  if (code === 0) return stdout.trim();
  throw new Refusal(reason, `${git.cwd} has no branch "${branch}".`, 'See what there is: git branch --list');
}
