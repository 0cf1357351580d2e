import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Environment } from '../../process/child-env.ts';

export interface FoundBinary {
  readonly path: string;
  /** Behind all links. */
  readonly realPath: string;
  /** Named by a person or an adapter, brought along by the repository, or found on the search path. */
  readonly how: 'explicit' | 'project' | 'path';
}

export interface BinaryPlace {
  /** The repository: its checkout, and the worktree that is worked in. */
  readonly repository: readonly string[];
  readonly env: Environment;
  /** A path that a person chose; nothing else is looked for then. */
  readonly explicit?: string;
  /** Whether a program of the repository may be the one. */
  readonly ownAllowed: boolean;
}

export interface Search {
  readonly found?: FoundBinary;
  /** A program of that name that the repository brings along and that was not taken. */
  readonly passedOver?: string;
}

/**
 * Finds the program of an agent. It gets the person's login, so one that a repository brings along, in its
 * `node_modules/.bin` or anywhere else in it, is only taken where that is allowed; then it comes first, as tools of a
 * project do.
 */
export function findBinary(command: string, place: BinaryPlace): Search {
  const { repository, env, explicit, ownAllowed } = place;
  const [dir = '.'] = repository;
  const named = explicit ?? (command.includes('/') ? command : undefined);
  if (named !== undefined) return searched(program(resolve(dir, named), 'explicit'));
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const own = repository.map((each) => join(each, 'node_modules', '.bin'));
  let passedOver: string | undefined;
  for (const folder of [...own, ...folders]) {
    const found = program(join(folder, command), 'path');
    if (!found) continue;
    const isOwn = isOfRepository(found, repository);
    if (!isOwn || ownAllowed) return searched({ ...found, how: isOwn ? 'project' : 'path' }, passedOver);
    passedOver ??= found.path;
  }
  return searched(undefined, passedOver);
}

function searched(found: FoundBinary | undefined, passedOver?: string): Search {
  return { ...(found ? { found } : {}), ...(passedOver === undefined ? {} : { passedOver }) };
}

/** By its name or behind its links. What a home folder holds is its person's, also where that is a repository. */
function isOfRepository({ path, realPath }: FoundBinary, repository: readonly string[]): boolean {
  return repository.some((dir) => {
    const places = isInside(dir, homedir()) ? [join(dir, 'node_modules')] : [dir, real(dir)];
    return places.some((place) => isInside(place, path) || isInside(place, realPath));
  });
}

/** The folders of a search path that are no part of a repository. */
export function pathOutside(path: string | undefined, repository: readonly string[]): string {
  const folders = (path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders
    .filter((folder) => !isOfRepository({ path: folder, realPath: real(folder), how: 'path' }, repository))
    .join(delimiter);
}

/** `./node_modules/.bin/claude`: as it lies in the repository. */
export function shownIn(path: string, repository: readonly string[]): string {
  const dir = repository.find((each) => isInside(each, path));
  return dir === undefined ? path : `./${relative(dir, path)}`;
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Not there: its name is all there is.
    return path;
  }
}

function program(path: string, how: FoundBinary['how']): FoundBinary | undefined {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? { path, realPath: realpathSync(path), how } : undefined;
  } catch {
    // Not there, or not ours to run: either way the search continues.
    return undefined;
  }
}
