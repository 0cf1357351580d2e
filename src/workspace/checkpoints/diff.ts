import { UsageError } from '../../kernel/errors.ts';
import type { BoundGit } from '../git/bound-git.ts';
import { type DiffSummary, diffText, summarizeDiff } from '../git/tree-diff.ts';
import { type Checkpoint, listCheckpoints, resolveTarget, type Target } from './checkpoint-list.ts';
import { emptyTree, headCommit } from './commit.ts';
import type { PrivateIndex } from './private-index.ts';

/** Either one step, or from a saved tree (or the session's start) to another (or the current files). */
export interface DiffRange {
  readonly step?: Target;
  readonly from?: Target;
  readonly to?: Target;
}

export interface TreeDiff extends DiffSummary {
  readonly text: string;
}

export async function diffOf(
  git: BoundGit,
  index: PrivateIndex,
  session: string,
  { step, from, to }: DiffRange,
): Promise<TreeDiff> {
  if (step !== undefined && (from !== undefined || to !== undefined)) {
    throw new UsageError('Name either one step, or where the diff begins and ends.');
  }
  const end = step ?? to;
  const after = end === undefined ? await index.stage() : await resolveTarget(git, session, end);
  const before =
    step === undefined
      ? await startOf(git, session, from)
      : ((await parentOf(git, after)) ?? (await emptyTree(git)));
  const [summary, text] = await Promise.all([
    summarizeDiff(git, before, after),
    diffText(git, before, after),
  ]);
  return { ...summary, text };
}

async function startOf(git: BoundGit, session: string, from: Target | undefined): Promise<string> {
  if (from !== undefined) return resolveTarget(git, session, from);
  const [first] = await listCheckpoints(git, session);
  return (await baseOf(git, first)) ?? (await emptyTree(git));
}

/** What the session began with: its checkpoint 0 if there is one, else the commit before its first. */
function baseOf(git: BoundGit, first: Checkpoint | undefined): Promise<string | undefined> {
  if (!first) return headCommit(git);
  return first.step === 0 && first.task === undefined
    ? Promise.resolve(first.commit)
    : parentOf(git, first.commit);
}

async function parentOf(git: BoundGit, commit: string): Promise<string | undefined> {
  const { code, stdout } = await git.try(['rev-parse', '-q', '--verify', `${commit}^1`]);
  return code === 0 ? stdout.trim() : undefined;
}
