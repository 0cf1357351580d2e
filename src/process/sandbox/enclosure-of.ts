import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Environment } from '../child-env.ts';
import { makeOwnGitFolder } from '../own-git-folder.ts';
import { type Enclosure, isInside, type Mount, type Network } from './enclosure.ts';
import { entriesOf, privatePlaces } from './home.ts';

/** What is the same for all children of a project. */
export interface Surroundings {
  readonly level: 'standard' | 'strict';
  /** `.loopwright` of the project: what is in there is ours alone. */
  readonly stateDir: string;
  /** Of the person who runs us. */
  readonly home: string;
  /** Keeps `~/.cache` and `~/.npm` of this project's children from run to run. */
  readonly cacheDir: string;
  /** The `.git` of the project's repository, where there is one. */
  readonly gitDir: string | undefined;
  /** Beside the tree, for every child. */
  readonly writable: readonly string[];
}

/** What is special about one child. */
export interface Inmate {
  readonly tree: string;
  readonly network: Network;
  readonly program: string;
  readonly env: Environment;
  /** Folders of its own outside of the tree. */
  readonly own: readonly Mount[];
  /** Files of its own that are in the scratch home already. */
  readonly copied: readonly string[];
  readonly scratch: Enclosure['scratch'];
}

export function enclosureOf(around: Surroundings, child: Inmate): Enclosure {
  const { home, cacheDir } = around;
  const tree = topOfWorktree(real(child.tree));
  const own = new Set([...child.own.map(({ at }) => at), ...child.copied]);
  const cached = [join(home, '.cache'), join(home, '.npm')];
  const shown = programPlaces(child, home);
  const seen = [tree, ...shown, ...around.writable.map(real)];
  const hidden = [...privatePlaces(home), ...ownState(around.stateDir)].filter(
    (path) => !own.has(path) && path !== tree && (around.level === 'standard' || isSeen(path, seen, home)),
  );
  const replaced = new Set([...hidden, ...cached, ...own]);
  const visible = around.level === 'strict' ? [] : entriesOf(home).filter((path) => !replaced.has(path));
  const admin = worktreeFolder(tree, around.gitDir);
  return {
    tree,
    guarded: [join(tree, '.git'), join(tree, '.loopwright'), ...admin.flatMap(guardedInside)],
    visible,
    hidden,
    shown,
    writable: [
      ...cached.map((at) => ({ at, from: join(cacheDir, at.endsWith('.npm') ? 'npm' : 'cache') })),
      ...around.writable.map((path) => ({ at: real(path) })),
      ...child.own,
      ...admin,
    ],
    home,
    scratch: child.scratch,
    network: child.network,
  };
}

/** Of the home folder, strict shows the tree and programs alone. */
function isSeen(path: string, seen: readonly string[], home: string): boolean {
  return !isInside(home, path) || seen.some((place) => isInside(place, path));
}

/** A project below the top of its repository has its worktree, with its `.git` file, above it. */
function topOfWorktree(tree: string): string {
  for (let folder = tree; ; folder = dirname(folder)) {
    const git = lstatSync(join(folder, '.git'), { throwIfNoEntry: false });
    if (git) return git.isFile() ? folder : tree;
    if (dirname(folder) === folder) return tree;
  }
}

/** What agents write into `.loopwright` of their own tree to hand over a long prompt; the rest is ours. */
const HANDED_OVER = 'prompts';

function ownState(stateDir: string): string[] {
  return entriesOf(stateDir).filter((path) => !path.endsWith(`/${HANDED_OVER}`));
}

/**
 * What git keeps of a worktree, its index above all. The tree's own `.git` file names it, and an agent may have
 * written that, so it counts only below the project's own repository.
 */
function worktreeFolder(tree: string, gitDir: string | undefined): Mount[] {
  if (gitDir === undefined) return [];
  try {
    const [, named] = /^gitdir: (.+)\n?$/.exec(readFileSync(join(tree, '.git'), 'utf8')) ?? [];
    const at = named === undefined ? undefined : realpathSync(resolve(tree, named));
    return at !== undefined && dirname(at) === join(real(gitDir), 'worktrees') ? [{ at }] : [];
  } catch {
    // No file, or a folder: the tree is no worktree.
    return [];
  }
}

/** These say which repository it is, and what counts as the child's work. */
function guardedInside({ at }: Mount): string[] {
  return [...['commondir', 'gitdir', 'config.worktree'].map((name) => join(at, name)), makeOwnGitFolder(at)];
}

/** Folders of the machine that a child gets a new one of. */
const LAID_OVER = ['/tmp', '/var/tmp', '/run', '/var/run', '/dev'];

/**
 * Programs that were installed below the home folder or in a temporary one are shown with what lies beside them; never
 * such a folder as a whole.
 */
function programPlaces({ program, env }: Inmate, home: string): string[] {
  const whole = new Set([home, ...LAID_OVER]);
  const beside = (file: string, folder: string) => (whole.has(folder) ? file : folder);
  const onPath = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const programs = [program, process.execPath, import.meta.filename]
    .map(real)
    .map((file) => beside(file, packageOf(file, whole)));
  const folders = onPath.map(real).filter((folder) => !whole.has(folder));
  const places = [...folders, beside(program, dirname(program)), ...programs];
  return [...new Set(places)].filter((path) => [...whole].some((folder) => isInside(folder, path)));
}

/** The outermost `node_modules`, the installation of a runtime, or the folder that a file lies in. */
function packageOf(file: string, whole: ReadonlySet<string>): string {
  const modules = /^(.*?\/node_modules)\//.exec(file)?.[1];
  if (modules !== undefined) return modules;
  const folder = dirname(file);
  if (folder.endsWith('/bin')) return whole.has(dirname(folder)) ? folder : dirname(folder);
  return /^(.*)\/(?:dist|src)\//.exec(file)?.[1] ?? folder;
}

export function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
