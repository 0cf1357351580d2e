import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../../kernel/errors.ts';
import type { TreeChanges } from '../../../verification/task-tree.ts';

/** The files by which git is steered, by path from the project: a digest of each, of a ref where it points to. */
export type GitControl = { readonly [path: string]: string };

const FILES = ['HEAD', 'config'];
/** Branches and tags; not what loopwright itself keeps there for other tasks. */
const OUR_REFS = /^refs\/(?:heads|tags)\/(?!loopwright\/)/;

/** Snapshots leave git's folder out, so what is done there is looked at apart. Empty where there is none. */
export function gitControl(root: string): GitControl {
  const home = join(root, '.git');
  const stats = statSync(home, { throwIfNoEntry: false });
  if (!stats) return {};
  if (!stats.isDirectory()) return { '.git': digestOf(home) ?? '' };
  const hooks = namesIn(join(home, 'hooks'))
    .filter((name) => !name.endsWith('.sample'))
    .map((name) => `hooks/${name}`);
  const files = [...FILES, ...hooks].flatMap((name): [string, string][] => {
    const digest = digestOf(join(home, name));
    return digest === undefined ? [] : [[`.git/${name}`, digest]];
  });
  return Object.fromEntries([...files, ...refsIn(home)]);
}

export function controlChanges(before: GitControl, now: GitControl): TreeChanges {
  const [was, is] = [Object.keys(before), Object.keys(now)];
  return {
    changed: was.filter((path) => now[path] !== undefined && now[path] !== before[path]).sort(),
    added: is.filter((path) => before[path] === undefined).sort(),
    removed: was.filter((path) => now[path] === undefined).sort(),
  };
}

/** A ref may move from its own file into the packed ones without changing. */
function refsIn(home: string): [string, string][] {
  const packed = (textOf(join(home, 'packed-refs')) ?? '').split('\n').flatMap((line): [string, string][] => {
    const [, value = '', name = ''] = /^([0-9a-f]{40,}) (\S+)$/.exec(line) ?? [];
    return value === '' ? [] : [[name, value]];
  });
  const loose = ['refs/heads', 'refs/tags'].flatMap((folder) => looseIn(home, folder));
  const all = [...new Map([...packed, ...loose])].filter(([name]) => OUR_REFS.test(name));
  return all.map(([name, value]) => [`.git/${name}`, value]);
}

function looseIn(home: string, folder: string): [string, string][] {
  return namesIn(join(home, folder)).flatMap((name): [string, string][] => {
    const path = `${folder}/${name}`;
    if (statSync(join(home, path), { throwIfNoEntry: false })?.isDirectory()) return looseIn(home, path);
    const value = name.endsWith('.lock') ? undefined : textOf(join(home, path));
    return value === undefined ? [] : [[path, value.trim()]];
  });
}

function digestOf(file: string): string | undefined {
  const text = textOf(file);
  return text === undefined ? undefined : createHash('sha256').update(text).digest('hex');
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1');
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    // Something else than a file in its place is a state of its own.
    if (code === 'EISDIR' || code === 'EACCES') return code;
    throw error;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}
