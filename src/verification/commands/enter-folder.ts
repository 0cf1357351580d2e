import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';

export type Entered =
  | { readonly ok: true; readonly folder: string }
  | { readonly ok: false; readonly reason: string };

/** What `cd` with these words does without a shell; it never leaves the root, not through a link either. */
export async function enterFolder(root: string, from: string, words: readonly string[]): Promise<Entered> {
  const [target] = words;
  if (target === undefined) return { ok: true, folder: from };
  if (words.length > 1) return refused(`"cd ${words.join(' ')}" names more than one folder`);
  try {
    const folder = await realpath(resolve(from, target));
    if (leaves(await realpath(root), folder)) return refused(`"cd ${target}" leads out of the project`);
    if ((await stat(folder)).isDirectory()) return { ok: true, folder };
    return refused(`"cd ${target}" does not lead to a folder`);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return refused(`"cd ${target}" leads to nothing that could be entered`);
  }
}

export function leaves(root: string, path: string): boolean {
  const inside = relative(root, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
}

function refused(reason: string): Entered {
  return { ok: false, reason };
}
