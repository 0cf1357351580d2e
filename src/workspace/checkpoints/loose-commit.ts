import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { errorCode, errorMessage, StorageError } from '../../kernel/errors.ts';
import type { BoundGit } from '../git/bound-git.ts';

/** With one of these set, how objects are written is for git alone to know. */
const SPECIAL = '^(core\\.(sharedrepository|fsync|fsyncobjectfiles|fsyncmethod)|extensions\\..*)$';
const HARMLESS = new Set(['extensions.worktreeconfig', 'extensions.objectformat']);
const FASTEST = 1;

/**
 * Whether commits can be written without starting git: not where its settings ask for something special.
 * Every checkpoint needs one commit of a few lines, and starting git for it is a tenth of the whole cost.
 */
export async function writesPlainObjects(git: BoundGit): Promise<boolean> {
  const { stdout } = await git.try(['config', '--name-only', '--get-regexp', SPECIAL]);
  const special = stdout.split('\n').filter((name) => name !== '' && !HARMLESS.has(name.toLowerCase()));
  return special.length === 0;
}

/**
 * Writes a commit as git does: header and content, deflated, under the name of their hash, first beside it
 * and then renamed, so that it is there whole or not at all. Git sweeps up `tmp_obj_` files by itself.
 */
export function writeLooseCommit(objects: string, content: Buffer, idLength: number): string {
  const object = Buffer.concat([Buffer.from(`commit ${content.length}\0`), content]);
  const id = createHash(idLength === 64 ? 'sha256' : 'sha1')
    .update(object)
    .digest('hex');
  const folder = join(objects, id.slice(0, 2));
  const file = join(folder, id.slice(2));
  if (existsSync(file)) return id;
  const draft = join(folder, `tmp_obj_${randomBytes(6).toString('hex')}`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(draft, deflateSync(object, { level: FASTEST }), { mode: 0o444, flag: 'wx' });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw notWritten(file, error);
  }
  return id;
}

function notWritten(file: string, error: unknown): unknown {
  if (errorCode(error) === undefined) return error;
  return new StorageError(`The checkpoint could not be written to ${file}: ${errorMessage(error)}`, {
    next: 'Free some space or correct the permissions, then try again. What was saved before is kept.',
    cause: error,
  });
}
