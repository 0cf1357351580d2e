import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../../kernel/errors.ts';
import type { TreeChanges } from '../../../verification/task-tree.ts';
import { refsOf } from '../../../workspace/guard/refs.ts';

/** The files by which git is steered, by path from the project: a digest of each, of a ref where it points to. */
export type GitControl = { readonly [path: string]: string };

const FILES = ['HEAD', 'config'];

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
  const refs = Object.entries(refsOf(home)).map(([name, value]) => [`.git/${name}`, value]);
  return Object.fromEntries([...files, ...refs]);
}

export function controlChanges(before: GitControl, now: GitControl): TreeChanges {
  const [was, is] = [Object.keys(before), Object.keys(now)];
  return {
    changed: was.filter((path) => now[path] !== undefined && now[path] !== before[path]).sort(),
    added: is.filter((path) => before[path] === undefined).sort(),
    removed: was.filter((path) => now[path] === undefined).sort(),
  };
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
