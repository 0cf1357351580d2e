import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import { BoundGit } from '../git/bound-git.ts';

/** Branches, tags and replacements by name, with what they point to; not what loopwright itself keeps there. */
export type Refs = { readonly [name: string]: string };

const WATCHED = /^refs\/(?:(?:heads|tags)\/(?!loopwright\/)|replace\/)/;

/** Read from the files themselves: git would have to be started, and after every step. */
export function refsOf(commonDir: string): Refs {
  const packed = (textOf(join(commonDir, 'packed-refs')) ?? '')
    .split('\n')
    .flatMap((line): [string, string][] => {
      const [, value = '', name = ''] = /^([0-9a-f]{40,}) (\S+)$/.exec(line) ?? [];
      return value === '' ? [] : [[name, value]];
    });
  // A ref may move from its own file into the packed ones without changing.
  const loose = ['refs/heads', 'refs/tags', 'refs/replace'].flatMap((folder) => looseIn(commonDir, folder));
  return Object.fromEntries([...new Map([...packed, ...loose])].filter(([name]) => WATCHED.test(name)));
}

/**
 * The refs that nobody at work beside a session would have moved so: one that is gone, that was rewritten, that took
 * in the session's own work, or that makes git show another object than the one that is asked for. A branch that
 * moved on is not among them: the person works there too.
 */
export async function refsTouched(
  commonDir: string,
  before: Refs,
  ownWork: string | undefined,
): Promise<string[]> {
  const now = refsOf(commonDir);
  const git = new BoundGit(commonDir).with({ GIT_DIR: commonDir, GIT_NO_REPLACE_OBJECTS: '1' });
  const contains = async (commit: string, other: string) =>
    (await git.try(['merge-base', '--is-ancestor', other, commit])).code === 0;
  const touched: string[] = [];
  for (const name of [...new Set([...Object.keys(before), ...Object.keys(now)])].sort()) {
    const [old, is] = [before[name], now[name]];
    if (old === is) continue;
    if (name.startsWith('refs/replace/')) touched.push(`${name} (${old === undefined ? 'new' : 'changed'})`);
    else if (is === undefined) touched.push(`${name} (gone)`);
    else if (old === undefined) continue;
    else if (!(await contains(is, old))) touched.push(`${name} (rewritten)`);
    else if (ownWork !== undefined && !(await contains(old, ownWork)) && (await contains(is, ownWork)))
      touched.push(`${name} (took in the work of the session)`);
  }
  return touched;
}

function looseIn(home: string, folder: string): [string, string][] {
  return namesIn(join(home, folder)).flatMap((name): [string, string][] => {
    const path = `${folder}/${name}`;
    if (statSync(join(home, path), { throwIfNoEntry: false })?.isDirectory()) return looseIn(home, path);
    const value = name.endsWith('.lock') ? undefined : textOf(join(home, path));
    return value === undefined ? [] : [[path, value.trim()]];
  });
}

function textOf(file: string): string | undefined {
  try {
    return statSync(file).isFile() ? readFileSync(file, 'latin1') : undefined;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
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
