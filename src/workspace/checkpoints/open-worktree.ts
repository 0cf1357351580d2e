import { resolve } from 'node:path';
import { BoundGit, type RunGit } from '../git/bound-git.ts';
import { writesPlainObjects } from './loose-commit.ts';
import { PrivateIndex } from './private-index.ts';

export interface OpenedWorktree {
  /** Works at the top of the worktree. */
  readonly git: BoundGit;
  /** Private to this worktree. */
  readonly gitDir: string;
  readonly index: PrivateIndex;
  /** Where a commit can be written without starting git, if it can. */
  readonly objects: string | undefined;
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
  const places = ['--absolute-git-dir', '--git-path', 'objects'];
  const [inTree, isPlain] = await Promise.all([
    here.try(['rev-parse', '--show-toplevel', ...places]),
    writesPlainObjects(here),
  ]);
  const [top = '', gitDir = '', folder = ''] =
    inTree.code === 0 ? inTree.stdout.split('\n') : await withoutTree(here, places);
  const git = here.in(resolve(top));
  const objects = isPlain ? resolve(path, folder) : undefined;
  return { git, gitDir, objects, index: new PrivateIndex(git, { gitDir, exclude }) };
}

/** A repository without a checkout has refs to look at; only what asks for the files of now fails there. */
async function withoutTree(git: BoundGit, places: readonly string[]): Promise<string[]> {
  const [gitDir = '', folder = ''] = (await git.out(['rev-parse', ...places])).split('\n');
  return [gitDir, gitDir, folder];
}
