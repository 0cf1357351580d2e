import { BoundGit, type RunGit } from '../checkpoints/bound-git.ts';
import { type DiffSummary, summarizeDiff } from '../checkpoints/tree-diff.ts';
import { Refusal } from './refusal.ts';

/** What a branch brings to its base: the diff that a local run is delivered as. */
export interface ChangeSummary extends DiffSummary {
  readonly base: string;
  readonly branch: string;
  /** Where the branch left the base: changes of the base since then are not counted. */
  readonly from: string;
  readonly commit: string;
}

export async function describeChange(
  repo: string,
  base: string,
  branch: string,
  run?: RunGit,
): Promise<ChangeSummary> {
  const git = new BoundGit(repo, run);
  const [baseCommit, commit] = await Promise.all([
    commitOf(git, base, 'base-unknown'),
    commitOf(git, branch, 'branch-unknown'),
  ]);
  const { code, stdout } = await git.try(['merge-base', baseCommit, commit]);
  const from = code === 0 ? stdout.trim() : baseCommit;
  return { base, branch, from, commit, ...(await summarizeDiff(git, from, commit)) };
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
