import { resolve } from 'node:path';
import { writeOwnCommit } from '../checkpoints/commit.ts';
import { BoundGit, type RunGit } from '../git/bound-git.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import { type DiffSummary, summarizeDiff } from '../git/tree-diff.ts';
import { commitOf } from './describe-change.ts';
import { findDelivered, findUndone } from './find-delivered.ts';
import { mergeTrees } from './merge-trees.ts';
import { checkMove, moveBase } from './move-base.ts';
import { orRefused, Refusal, type Refused } from './refusal.ts';
import { writeDelivery } from './write-delivery.ts';

export interface UndoOptions {
  readonly repo: string;
  readonly base: string;
  /** The session or task whose delivery is taken back. */
  readonly id: string;
  readonly run?: RunGit;
}

export type UndoResult =
  | {
      readonly kind: 'undone';
      /** What took it back, and what it took back. */
      readonly commit: string;
      readonly undoes: string;
      readonly change: DiffSummary;
      readonly checkout?: string | undefined;
    }
  /** An earlier call, or a person's own revert, has done it. */
  | { readonly kind: 'already-undone'; readonly undoes: string }
  | Refused;

const UNDO_TRAILER = 'Loopwright-Undoes';

/**
 * Takes a delivery out of its base branch again, as a new commit: what came after it stays, and nothing is rewritten.
 * The base moves as for a delivery, in one step or not at all.
 */
export function undo(options: UndoOptions): Promise<UndoResult> {
  const { repo, base, id, run } = options;
  return orRefused(async () => {
    const git = new BoundGit(repo, run);
    const commonDir = resolve(repo, await git.out(['rev-parse', '--git-common-dir']));
    const purpose = `taking back what ${id} delivered to ${base}`;
    return withRepoLock({ commonDir }, () => undoLocked(git, options), { purpose });
  });
}

async function undoLocked(git: BoundGit, { base, id }: UndoOptions): Promise<UndoResult> {
  const from = await commitOf(git, base, 'base-unknown');
  const undoes = await findDelivered(git, id, from);
  if (undoes === undefined) {
    const earlier = await findUndone(git, id, from);
    if (earlier === undefined) throw notDelivered(base);
    return { kind: 'already-undone', undoes: earlier };
  }
  const tree = await treeWithout(git, from, undoes, base);
  if (tree === (await git.out(['rev-parse', `${from}^{tree}`]))) return { kind: 'already-undone', undoes };
  await checkMove(git, base, from, tree);
  const message = await messageFor(git, undoes);
  const commit = await writeDelivery(
    git,
    undefined,
    { mode: 'squash', message, session: id, trailers: { [UNDO_TRAILER]: id } },
    { tree, base: from, work: undoes },
  );
  const checkout = await moveBase(git, { base, session: id, doing: 'undo' }, from, commit);
  return { kind: 'undone', commit, undoes, change: await summarizeDiff(git, from, commit), checkout };
}

/**
 * What the base would be without the delivery: it and what was there before it are both made to follow the delivery,
 * so that merging them takes back what that brought.
 */
async function treeWithout(git: BoundGit, from: string, undoes: string, base: string): Promise<string> {
  const trees = [`${undoes}^{tree}`, `${from}^{tree}`, `${undoes}^1^{tree}`];
  const [brought = '', now = '', before = ''] = (await git.out(['rev-parse', ...trees])).split('\n');
  const following = async (tree: string, parents: readonly string[]) =>
    writeOwnCommit(git, { tree, parents, subject: `loopwright: undoing ${undoes}`, trailers: {} });
  const root = await following(brought, []);
  const merged = await mergeTrees(git, await following(now, [root]), await following(before, [root]));
  if (merged.kind === 'clean') return merged.tree;
  throw new Refusal(
    'conflict',
    `${base} has changed since in the same places, so it cannot be taken out by itself:`,
    `Take it out by hand: git revert ${undoes}. Nothing was changed.`,
    { files: merged.files },
  );
}

/** As git words a revert, so that git and everybody else know it for one. */
async function messageFor(git: BoundGit, undoes: string): Promise<string> {
  const subject = await git.out(['log', '-1', '--format=%s', undoes, '--']);
  return `Undo "${subject}"\n\nThis reverts commit ${undoes}.\n\nNo check has run on the result.`;
}

function notDelivered(base: string): Refusal {
  return new Refusal(
    'not-delivered',
    `Nothing of it is in ${base}, so there is nothing to undo.`,
    'Look at what was delivered: git log',
  );
}
