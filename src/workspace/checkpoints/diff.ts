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
  range: DiffRange,
): Promise<TreeDiff> {
  const { before, after } = await sidesOf(git, index, session, range);
  const [summary, text] = await Promise.all([
    summarizeDiff(git, before, after),
    diffText(git, before, after),
  ]);
  return { ...summary, text };
}

/** One file on both sides of a diff. */
export interface FileSides {
  /** Null where there is no such file. */
  readonly before: string | null;
  readonly after: string | null;
  /** It is no text, or too large to be shown as one; both sides are null then. */
  readonly unshown?: 'binary' | 'large';
}

const MOST_SHOWN = 4 * 1024 * 1024;

/** A file that was moved was called otherwise before. */
export async function fileSidesOf(
  git: BoundGit,
  sides: { readonly before: string; readonly after: string },
  paths: { readonly path: string; readonly from?: string },
): Promise<FileSides> {
  const before = await textIn(git, sides.before, paths.from ?? paths.path);
  const after = await textIn(git, sides.after, paths.path);
  if (typeof before === 'string') return { before: null, after: null, unshown: before };
  if (typeof after === 'string') return { before: null, after: null, unshown: after };
  return { before: before?.text ?? null, after: after?.text ?? null };
}

async function textIn(
  git: BoundGit,
  tree: string,
  path: string,
): Promise<{ readonly text: string } | 'binary' | 'large' | undefined> {
  const name = `${tree}:${path}`;
  const size = await git.try(['cat-file', '-s', name]);
  if (size.code !== 0) return undefined;
  if (Number(size.stdout) > MOST_SHOWN) return 'large';
  const text = await git.raw(['cat-file', 'blob', name]);
  return text.includes('\0') ? 'binary' : { text };
}

/** What is compared with what. */
export async function sidesOf(
  git: BoundGit,
  index: PrivateIndex,
  session: string,
  { step, from, to }: DiffRange,
): Promise<{ readonly before: string; readonly after: string }> {
  if (step !== undefined && (from !== undefined || to !== undefined)) {
    throw new UsageError('Name either one step, or where the diff begins and ends.');
  }
  const end = step ?? to;
  const after = end === undefined ? await index.stage() : await resolveTarget(git, session, end);
  const before =
    step === undefined
      ? await startOf(git, session, from)
      : ((await parentOf(git, after)) ?? (await emptyTree(git)));
  return { before, after };
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
