import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errorCode, NotFoundError, UsageError } from '../../kernel/errors.ts';
import { isThere } from '../../process/if-there.ts';
import { BoundGit } from './bound-git.ts';
import { noRepository, notReadable } from './repository-errors.ts';

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

const FACTS = ['--is-inside-work-tree', '--git-dir', '--git-common-dir', '--show-prefix', '--show-cdup'];

/** The repository of a folder; refused with the reason where there is none. */
export async function openRepository(dir: string): Promise<Repository> {
  const found = await look(dir);
  if ('reason' in found) throw noRepository(found.here, found.reason);
  return found;
}

/** Undefined where git sees no repository, whatever the reason. */
export async function findRepository(dir: string): Promise<Repository | undefined> {
  const found = await look(dir);
  return 'reason' in found ? undefined : found;
}

async function look(dir: string): Promise<Repository | { readonly here: string; readonly reason: string }> {
  const here = await existingFolder(dir);
  // One call: every session begins here.
  const facts = await new BoundGit(here).try([
    'rev-parse',
    ...FACTS,
    'HEAD^{commit}',
    '--symbolic-full-name',
    'HEAD',
  ]);
  const [inTree, gitDir, commonDir, prefix = '', up = ''] = facts.stdout.split('\n');
  if (gitDir === undefined || commonDir === undefined) return { here, reason: facts.stderr };
  const top = inTree === 'true' ? resolve(here, up) : undefined;
  const common = resolve(here, commonDir);
  if (top === undefined) await refuseInsideGitDir(here, common);
  return {
    dir: top ?? common,
    top,
    gitDir: resolve(here, gitDir),
    commonDir: common,
    prefix: top === undefined ? '' : prefix.replace(/\/$/, ''),
    head: facts.code === 0 ? headIn(facts.stdout) : await headWithoutCommit(here),
    submodules: await submodulesOf(top),
  };
}

/** The last two lines: the commit, and the branch or the word HEAD when there is none. */
function headIn(facts: string): Head {
  const [commit = '', name = ''] = facts.trimEnd().split('\n').slice(-2);
  if (!name.startsWith(BRANCHES)) return { kind: 'detached', commit };
  return { kind: 'branch', branch: name.slice(BRANCHES.length), commit };
}

async function headWithoutCommit(here: string): Promise<Head> {
  const { code, stdout, stderr } = await new BoundGit(here).try(['symbolic-ref', 'HEAD']);
  const name = stdout.trim();
  if (code !== 0 || !name.startsWith(BRANCHES)) throw notReadable(here, stderr);
  return { kind: 'unborn', branch: name.slice(BRANCHES.length) };
}

const BRANCHES = 'refs/heads/';

/** The submodules that a checkout declares, whether or not they are there. */
export async function submodulesOf(top: string | undefined): Promise<readonly string[]> {
  if (top === undefined || !(await isThere(join(top, '.gitmodules')))) return [];
  const args = ['config', '-z', '-f', '.gitmodules', '--get-regexp', '^submodule\\..*\\.path$'];
  const { stdout } = await new BoundGit(top).try(args);
  return stdout.split('\0').flatMap((entry) => (entry === '' ? [] : entry.slice(entry.indexOf('\n') + 1)));
}

async function existingFolder(dir: string): Promise<string> {
  try {
    const real = await realpath(dir);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
  }
  throw new NotFoundError(`There is no folder ${dir}.`, { next: 'Check the path.' });
}

/** A bare repository is a place to work from; the inside of a checkout's `.git` is a mistake. */
async function refuseInsideGitDir(here: string, commonDir: string): Promise<void> {
  const bare = await new BoundGit(here).out(['rev-parse', '--is-bare-repository']);
  if (bare === 'true') return;
  throw new UsageError(`${here} is inside the git directory ${commonDir}, not in a checkout.`, {
    next: 'Run this from the checkout itself.',
  });
}
