import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errorCode, UsageError } from '../../kernel/errors.ts';
import { noRepository, notReadable } from './repository-errors.ts';
import { git, tryGit } from './run-git.ts';

export type Head =
  | { readonly kind: 'branch'; readonly branch: string; readonly commit: string }
  | { readonly kind: 'detached'; readonly commit: string }
  /** The branch has a name and no commit yet. */
  | { readonly kind: 'unborn'; readonly branch: string };

/** A git repository as seen from one folder of it. All paths are absolute. */
export interface Repository {
  /** Where to run git: the top of the checkout, or the folder of a bare repository. */
  readonly dir: string;
  /** The checkout; undefined when there is none (bare). */
  readonly top: string | undefined;
  /** Private to this checkout: its HEAD and its index. */
  readonly gitDir: string;
  /** Shared by all checkouts: objects, refs, configuration. */
  readonly commonDir: string;
  /** The asked folder below the top, `''` at the top itself. */
  readonly prefix: string;
  readonly head: Head;
  /** Paths of submodules. They are left alone: a new worktree has their folders empty. */
  readonly submodules: readonly string[];
}

export async function openRepository(dir: string): Promise<Repository> {
  const here = await existingFolder(dir);
  const [facts, symbolic, commit] = await Promise.all([
    tryGit(
      ['rev-parse', '--is-inside-work-tree', '--git-dir', '--git-common-dir', '--show-prefix', '--show-cdup'],
      { cwd: here },
    ),
    tryGit(['symbolic-ref', '-q', 'HEAD'], { cwd: here }),
    tryGit(['rev-parse', '-q', '--verify', 'HEAD^{commit}'], { cwd: here }),
  ]);
  if (facts.code !== 0) throw noRepository(here, facts.stderr);
  const [inTree, gitDir = '', commonDir = '', prefix = '', up = ''] = facts.stdout.split('\n');
  const top = inTree === 'true' ? resolve(here, up) : undefined;
  const common = resolve(here, commonDir);
  const at = top ?? common;
  if (top === undefined) await refuseInsideGitDir(here, common);
  const head = headOf(symbolic.stdout.trim(), commit.stdout.trim());
  if (!head) throw notReadable(here, symbolic.stderr || commit.stderr);
  return {
    dir: at,
    top,
    gitDir: resolve(here, gitDir),
    commonDir: common,
    prefix: prefix.replace(/\/$/, ''),
    head,
    submodules: await submodulesOf(top),
  };
}

/** The submodules that a checkout declares, whether or not they are there. */
export async function submodulesOf(top: string | undefined): Promise<readonly string[]> {
  if (top === undefined || !(await isThere(join(top, '.gitmodules')))) return [];
  const args = ['config', '-z', '-f', '.gitmodules', '--get-regexp', '^submodule\\..*\\.path$'];
  const { stdout } = await tryGit(args, { cwd: top });
  return stdout.split('\0').flatMap((entry) => (entry === '' ? [] : entry.slice(entry.indexOf('\n') + 1)));
}

function headOf(symbolic: string, commit: string): Head | undefined {
  if (symbolic === '') return commit === '' ? undefined : { kind: 'detached', commit };
  const branch = symbolic.replace(/^refs\/heads\//, '');
  return commit === '' ? { kind: 'unborn', branch } : { kind: 'branch', branch, commit };
}

async function existingFolder(dir: string): Promise<string> {
  try {
    const real = await realpath(dir);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
  }
  throw new UsageError(`There is no folder ${dir}.`, { next: 'Check the path.' });
}

/** A bare repository is a place to work from; the inside of a checkout's `.git` is a mistake. */
async function refuseInsideGitDir(here: string, commonDir: string): Promise<void> {
  const bare = await git(['rev-parse', '--is-bare-repository'], { cwd: here });
  if (bare.trim() === 'true') return;
  throw new UsageError(`${here} is inside the git directory ${commonDir}, not in a checkout.`, {
    next: 'Run this from the checkout itself.',
  });
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
