import type { TreeCheckpoints } from './tree-checkpoints.ts';

/** The files of a session as the engine wants them: an identity, and checkpoints to go back to. */
export interface KeptFiles {
  identity(): Promise<string>;
  save(step: number, of?: { readonly task?: string; readonly tree?: string }): Promise<string | undefined>;
  /** What differs from a checkpoint, else from the first one; undefined where there is none. */
  changes(since?: string): Promise<readonly string[] | undefined>;
  /** Puts paths back to what the first checkpoint has. */
  undo(paths: readonly string[]): Promise<void>;
  restore(checkpoint: string): Promise<void>;
}

/**
 * What a step really changed is reported, so that others learn of it before the step counts as done. `untouched` is
 * the tree of files that were made just now and that nobody has worked on yet: the checkpoint that it all begins with is of that.
 */
export function keptFiles(
  checkpoints: TreeCheckpoints,
  onChanged: (paths: readonly string[]) => Promise<void>,
  untouched?: string,
): KeptFiles {
  let start = untouched === undefined ? {} : { tree: untouched };
  return {
    identity: () => checkpoints.tree(),
    async save(step, of) {
      const saved = await checkpoints.save(step, step === 0 ? { ...start, ...of } : of);
      start = {};
      if (saved === 'unchanged') return undefined;
      if (step > 0 && saved.changed.length > 0) await onChanged(saved.changed);
      return saved.commit;
    },
    async changes(since) {
      const from = since ?? (await checkpoints.list())[0]?.commit;
      if (from === undefined) return undefined;
      const { changed, added, removed } = await checkpoints.since(from);
      return [...changed, ...added, ...removed].sort();
    },
    async undo(paths) {
      const [first] = await checkpoints.list();
      if (first) await checkpoints.undo(first.commit, paths);
    },
    async restore(checkpoint) {
      await checkpoints.restore(checkpoint);
    },
  };
}
