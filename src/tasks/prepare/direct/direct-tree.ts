import { existsSync } from 'node:fs';
import { errorMessage } from '../../../kernel/errors.ts';
import { lookBeforeWork } from '../../../verification/before-work.ts';
import { isGitControl } from '../../../verification/policy/violations.ts';
import type { TaskTree } from '../../../verification/task-tree.ts';
import { ignoredPaths } from '../../../workspace/snapshot/ignored-paths.ts';
import { compareSnapshots, type Snapshot, takeSnapshot } from '../../../workspace/snapshot/take-snapshot.ts';
import type { Beginning } from './beginning.ts';
import { controlChanges, gitControl } from './git-control.ts';
import type { RunFolders } from './run-folder.ts';
import { toTrash } from './trash.ts';

const MOST_LOOKS = 4;

export interface DirectTreeOptions {
  readonly root: string;
  readonly beginning: Beginning;
  readonly folders: RunFolders;
  /** Where files go that may not stay. */
  readonly trash: string;
  /** Identifies the files, as gates do. */
  readonly identity: () => Promise<string>;
}

/** The project's own files, compared with how they were before the task. Git is not asked for anything. */
export function directTree(options: DirectTreeOptions): TaskTree {
  const { root, beginning, folders, trash } = options;
  const looks = new Looks(root, options.identity);
  const { before, run, control } = beginning;
  const whyKept = (path: string): string => {
    if (isGitControl(path)) return 'it is how git is steered here, which a person must look at';
    if (!before.files.has(path)) return 'it was not added by this task';
    return existsSync(folders.copyOf(run, path))
      ? 'it was there before; a copy was kept, so it can be restored'
      : 'it was there before, and no copy of it was kept';
  };
  return {
    root,
    mode: 'direct',
    before: lookBeforeWork(root),
    async changes() {
      const files = compareSnapshots(before, takeSnapshot(root));
      const git = controlChanges(control, gitControl(root));
      return {
        changed: [...files.changed, ...git.changed].sort(),
        added: [...files.added, ...git.added].sort(),
        removed: [...files.removed, ...git.removed].sort(),
      };
    },
    identity: () => looks.identity(),
    differing: async (from, to) => looks.differing(from, to),
    ignored: async (paths) => ignoredPaths(root, paths),
    tracked: async (paths) => new Set(paths.filter((path) => before.files.has(path))),
    async discard(paths) {
      const added = new Set(compareSnapshots(before, takeSnapshot(root)).added);
      const discarded: string[] = [];
      const kept: { path: string; reason: string }[] = [];
      for (const path of paths) {
        if (!added.has(path)) kept.push({ path, reason: whyKept(path) });
        else {
          try {
            await toTrash(root, path, trash);
            discarded.push(path);
          } catch (error) {
            kept.push({ path, reason: errorMessage(error) });
          }
        }
      }
      return { discarded, kept };
    },
  };
}

/** Remembers what the files were at the newest looks, so that two of them can be told apart by name. */
class Looks {
  readonly #root: string;
  readonly #identify: () => Promise<string>;
  readonly #seen = new Map<string, Snapshot>();

  constructor(root: string, identify: () => Promise<string>) {
    this.#root = root;
    this.#identify = identify;
  }

  async identity(): Promise<string> {
    const identity = await this.#identify();
    this.#seen.delete(identity);
    this.#seen.set(identity, takeSnapshot(this.#root));
    const [oldest = ''] = this.#seen.keys();
    if (this.#seen.size > MOST_LOOKS) this.#seen.delete(oldest);
    return identity;
  }

  differing(from: string, to: string): string[] {
    const [then, now] = [this.#seen.get(from), this.#seen.get(to)];
    if (from === to || !then || !now) return [];
    const { changed, added, removed } = compareSnapshots(then, now);
    return [...changed, ...added, ...removed].sort();
  }
}
