import { resolve } from 'node:path';
import { BoundGit, type RunGit } from './bound-git.ts';
import { PrivateIndex } from './private-index.ts';

export interface OpenedWorktree {
  /** Works at the top of the worktree. */
  readonly git: BoundGit;
  /** Private to this worktree. */
  readonly gitDir: string;
  readonly index: PrivateIndex;
}

export interface OpenOptions {
  /** Paths relative to the top that stay out, beside what setup is known to have copied in. */
  readonly exclude?: readonly string[] | undefined;
  readonly run?: RunGit | undefined;
}

export async function openWorktree(
  path: string,
  { exclude = [], run }: OpenOptions,
): Promise<OpenedWorktree> {
  const here = new BoundGit(path, run);
  const places = await here.out(['rev-parse', '--show-toplevel', '--absolute-git-dir']);
  const [top = '', gitDir = ''] = places.split('\n').map((place) => resolve(place));
  const git = here.in(top);
  return { git, gitDir, index: new PrivateIndex(git, { gitDir, exclude }) };
}
