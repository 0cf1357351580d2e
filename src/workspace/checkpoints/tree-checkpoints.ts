import type { BoundGit } from '../git/bound-git.ts';
import { changedPaths, type NamedChanges, namedChanges, summarizeDiff } from '../git/tree-diff.ts';
import { type Checkpoint, listCheckpoints, resolveTarget, SEQUENCE, type Target } from './checkpoint-list.ts';
import { emptyTree, headOf, writeOwnCommit } from './commit.ts';
import { type DiffRange, diffOf, type FileSides, fileSidesOf, sidesOf, type TreeDiff } from './diff.ts';
import { type OpenedWorktree, type OpenOptions, openWorktree } from './open-worktree.ts';
import { pruneCheckpoints } from './prune.ts';
import { checkpointRef, sessionRefs } from './ref-names.ts';
import { type Restored, restoreTree } from './restore.ts';
import { type TimelineEntry, timelineOf } from './timeline.ts';
import { undoPaths } from './undo-paths.ts';

export interface SaveOptions {
  /** The stage task that is done, where not the whole step is. */
  readonly task?: string;
  /** More for whoever reads the commit, below its first line. */
  readonly message?: string;
  /** What the files are: `tree` has just given it, or they were just made from it. They are not looked at again. */
  readonly tree?: string;
}

export interface SavedCheckpoint {
  readonly ref: string;
  readonly commit: string;
  readonly tree: string;
  /** Paths that differ from the checkpoint before, or from HEAD at the first one. */
  readonly changed: readonly string[];
  /** Repositories inside the tree, which are left alone. */
  readonly nested: readonly string[];
}

type Last = Pick<Checkpoint, 'commit' | 'tree' | 'sequence'>;

/**
 * The files of one worktree, saved after steps as commits below `refs/loopwright/<session>/`. Invariants:
 * 1. Nothing of the user's changes but those refs: not index, branch, stash, HEAD; files only in `restore`.
 * 2. A ref appears only when everything it names is written; a kill leaves at most unnamed objects.
 * 3. `restore` overwrites nothing that is not named by a ref or by HEAD.
 * 4. Calls on one object run one after the other.
 */
export class TreeCheckpoints {
  readonly session: string;
  readonly #path: string;
  readonly #options: OpenOptions;
  #opening: Promise<OpenedWorktree> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** `false` when the session has none yet. */
  #last: Last | false | undefined;
  /** Two trees never differ in another way. */
  #compared: { readonly from: string; readonly to: string; readonly changes: NamedChanges } | undefined;

  constructor(worktreePath: string, session: string, options: OpenOptions = {}) {
    sessionRefs(session);
    this.session = session;
    this.#path = worktreePath;
    this.#options = options;
  }

  /** Saves the files under the step, or says that they are those of the newest checkpoint. */
  save(step: number, options: SaveOptions = {}): Promise<SavedCheckpoint | 'unchanged'> {
    return this.#inTurn((opened) => this.#save(opened, step, options));
  }

  /** Asks git ahead of time for what the first `save` needs and what no change of the files alters. */
  async open(): Promise<void> {
    await this.#inTurn(({ git }) => this.#newest(git));
  }

  /** Works on the same files in turn with everything else, and with what is known of them already. */
  use<T>(action: (opened: OpenedWorktree) => Promise<T>): Promise<T> {
    return this.#inTurn(action);
  }

  /** Removes the checkpoints of a session that has done nothing yet, because its files started over. */
  beginAnew(): Promise<void> {
    return this.#inTurn(async ({ git }) => {
      await pruneCheckpoints(git.cwd, this.session);
      this.#last = undefined;
    });
  }

  /** Identifies the current files: equal exactly when git would track the same contents. */
  tree(): Promise<string> {
    return this.#inTurn(({ index }) => index.stage());
  }

  /** What was done to the files since a commit, whatever was committed in between. */
  since(commit: string): Promise<NamedChanges> {
    return this.#inTurn((opened) => this.#changes(opened, commit));
  }

  /** Puts paths back to what a commit has. Gives those that differed from it. */
  undo(commit: string, paths: readonly string[]): Promise<readonly string[]> {
    return this.#inTurn(async (opened) => {
      const wanted = new Set(paths);
      const all = await this.#changes(opened, commit);
      const only = (list: readonly string[]) => list.filter((path) => wanted.has(path));
      const chosen = { changed: only(all.changed), added: only(all.added), removed: only(all.removed) };
      await undoPaths(opened.git, commit, chosen);
      return [...chosen.changed, ...chosen.added, ...chosen.removed].sort();
    });
  }

  /** Oldest first. */
  list(): Promise<Checkpoint[]> {
    return this.#inTurn(({ git }) => listCheckpoints(git, this.session));
  }

  /** The newest checkpoint that was made at or before a step. */
  async at(step: number): Promise<Checkpoint | undefined> {
    const all = await this.list();
    return all.findLast((checkpoint) => checkpoint.step <= step);
  }

  /** Puts the files to a saved tree; what would be lost by it is kept aside first. */
  restore(target: Target): Promise<Restored> {
    return this.#inTurn(async ({ git, index }) => {
      const commit = await resolveTarget(git, this.session, target);
      const restored = await restoreTree(index, this.session, { commit, tree: `${commit}^{tree}` });
      const { sequence = 0 } = (await listCheckpoints(git, this.session)).at(-1) ?? {};
      this.#last = { commit, tree: restored.tree, sequence };
      return restored;
    });
  }

  /** Without a range: everything the session has done so far. */
  diff(range: DiffRange = {}): Promise<TreeDiff> {
    return this.#inTurn(({ git, index }) => diffOf(git, index, this.session, range));
  }

  /** One file of a diff, whole on both sides; undefined for one that the diff does not have. */
  file(range: DiffRange, path: string): Promise<FileSides | undefined> {
    return this.#inTurn(async ({ git, index }) => {
      const sides = await sidesOf(git, index, this.session, range);
      const { files } = await summarizeDiff(git, sides.before, sides.after);
      const change = files.find((each) => each.path === path);
      return change && fileSidesOf(git, sides, change);
    });
  }

  timeline(): Promise<TimelineEntry[]> {
    return this.#inTurn(({ git }) => timelineOf(git, this.session));
  }

  async #save({ git, index, objects }: OpenedWorktree, step: number, options: SaveOptions) {
    const { session } = this;
    const { task, message } = options;
    const ref = checkpointRef(session, task === undefined ? { step } : { step, task });
    const known = options.tree;
    const staged = known === undefined ? index.stage() : index.startFrom(known);
    const [tree, last] = await Promise.all([staged, this.#newest(git)]);
    if (last && last.tree === tree) return 'unchanged' as const;
    const before = last || (await headOf(git));
    const parent = before?.commit;
    const sequence = (last ? last.sequence : 0) + 1;
    const what = task === undefined ? `step ${step}` : `step ${step}, task ${task},`;
    const write = async () => {
      const commit = await writeOwnCommit(
        git,
        {
          tree,
          parents: parent === undefined ? [] : [parent],
          subject: `loopwright: ${what} of session ${session}`,
          body: message,
          trailers: {
            'Loopwright-Session': session,
            'Loopwright-Step': step,
            'Loopwright-Task': task,
            [SEQUENCE]: sequence,
          },
        },
        objects,
      );
      await git.run(['update-ref', ref, commit]);
      return commit;
    };
    const [commit, changed] = await Promise.all([write(), changesTo(tree, before?.tree, { git, index })]);
    this.#last = { commit, tree, sequence };
    return { ref, commit, tree, changed, nested: index.nested };
  }

  async #changes({ git, index }: OpenedWorktree, from: string): Promise<NamedChanges> {
    const to = await index.stage();
    const known = this.#compared;
    if (known?.from === from && known.to === to) return known.changes;
    const changes = await namedChanges(git, from, to);
    this.#compared = { from, to, changes };
    return changes;
  }

  async #newest(git: BoundGit): Promise<Last | false> {
    this.#last ??= (await listCheckpoints(git, this.session)).at(-1) ?? false;
    return this.#last;
  }

  #inTurn<T>(action: (opened: OpenedWorktree) => Promise<T>): Promise<T> {
    const turn = this.#queue.then(async () => action(await this.#open()));
    // The next caller waits for this one's end, not for its success.
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  #open(): Promise<OpenedWorktree> {
    this.#opening ??= openWorktree(this.#path, this.#options).catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }
}

/** The paths that differ, without git where that is known. */
async function changesTo(
  tree: string,
  before: string | undefined,
  { git, index }: Pick<OpenedWorktree, 'git' | 'index'>,
): Promise<readonly string[]> {
  if (tree === before) return [];
  const known = before === undefined ? undefined : index.changedBetween(before, tree);
  return known ?? changedPaths(git, before ?? (await emptyTree(git)), tree);
}
