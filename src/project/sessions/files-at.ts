import { existsSync } from 'node:fs';
import type { ShownFile } from '../../manifest/progress-note.ts';
import type { ArtifactFile } from '../../manifest/worker.ts';
import { shownFile } from '../../orchestrator/engine/artifacts.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import { capped } from '../../workspace/tree-reader.ts';

/** Files as a step was shown them: from the checkpoint before it, compared with what was noted of them then. */
export async function filesAt(of: {
  readonly worktree: string | undefined;
  /** The checkpoint before the step; null where files are not kept. */
  readonly commit: string | null;
  readonly paths: readonly string[];
  readonly shown: readonly ShownFile[] | undefined;
}): Promise<Layer<readonly ArtifactFile[]>> {
  const { worktree, commit, paths, shown } = of;
  if (paths.length === 0) return exact([]);
  if (commit === null || worktree === undefined || !existsSync(worktree)) {
    const value = paths.map((path): ArtifactFile => ({ path, exists: true, unreadable: 'it was not kept' }));
    return reconstructed(value, 'the files of this session were not kept');
  }
  const git = new BoundGit(worktree);
  const value = await Promise.all(paths.map((path) => fileIn(git, commit, path)));
  if (!shown) return reconstructed(value, 'its journal does not say what was shown');
  const changed = shown.filter(({ digest }, index) => {
    const file = value[index];
    return file === undefined || shownFile(file).digest !== digest;
  });
  if (changed.length === 0) return exact(value);
  const names = changed.map(({ path }) => path).join(', ');
  return reconstructed(value, `changed after the checkpoint, or not part of it: ${names}`);
}

async function fileIn(git: BoundGit, commit: string, path: string): Promise<ArtifactFile> {
  const { code, stdout } = await git.try(['cat-file', 'blob', `${commit}:${path}`]);
  return code === 0 ? { path, exists: true, ...capped(stdout) } : { path, exists: false };
}

/** `exact`: as the worker got it. `reconstructed`: by what is known now; `why` says what could differ. */
export interface Layer<T> {
  readonly value: T;
  readonly certainty: 'exact' | 'reconstructed';
  readonly why?: string;
}

export function exact<T>(value: T): Layer<T> {
  return { value, certainty: 'exact' };
}

export function reconstructed<T>(value: T, why: string): Layer<T> {
  return { value, certainty: 'reconstructed', why };
}
