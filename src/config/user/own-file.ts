import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DeniedError, errorCode } from '../../kernel/errors.ts';

/** Its owner may write; nobody else. */
const WRITABLE_BY_OTHERS = 0o022;

/**
 * The text of a file that only its person may have written, undefined where there is none. A file of somebody else,
 * or one that others can write, is refused and not ignored: it may hold what keeps a secret secret.
 */
export function readOwnFile(file: string, uid: number | undefined = process.getuid?.()): string | undefined {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw refused(file, 'is not a file', `rm '${file}'`);
    for (const [path, found] of [
      [file, stats],
      [dirname(file), statSync(dirname(file))],
    ] as const) {
      const problem = ownershipProblem(path, found, uid);
      if (problem) throw problem;
    }
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

/** Why a file or folder is not only its person's own; root's counts as theirs. */
function ownershipProblem(
  path: string,
  { uid: owner, mode }: Pick<Stats, 'uid' | 'mode'>,
  uid: number | undefined,
): DeniedError | undefined {
  if (uid === undefined) return undefined;
  if (owner !== uid && owner !== 0) return refused(path, 'belongs to another user', `chown ${uid} '${path}'`);
  if ((mode & WRITABLE_BY_OTHERS) !== 0)
    return refused(path, 'can be written by others', `chmod go-w '${path}'`);
  return undefined;
}

function refused(path: string, why: string, command: string): DeniedError {
  return new DeniedError(`${path} ${why}, so what it says about trust and secrets is not used.`, {
    next: `Look at what is in it, then: ${command}`,
  });
}
