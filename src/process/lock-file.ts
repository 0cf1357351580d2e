import { randomBytes } from 'node:crypto';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import { errorCode, StorageError } from '../kernel/errors.ts';
import { isJsonObject } from '../kernel/json.ts';
import { type ProcessIdentity, readIdentity } from '../kernel/process-identity.ts';
import { ownIdentity } from './identity.ts';
import { readPlain } from './plain-file.ts';

/** Who holds a lock file, since when and what for. */
export interface Holder {
  /** Unique to one holding, also by the same process. */
  readonly token: string;
  readonly owner: ProcessIdentity;
  readonly at: string;
  /** For a person who wonders why it is held. */
  readonly purpose: string;
  /** For a program: what exactly it is held for. */
  readonly mark?: string;
}

export type Attempt = { readonly won: true } | { readonly won: false; readonly holder: Holder | undefined };

export function newHolder(
  purpose: string,
  { owner = ownIdentity(), mark }: { readonly owner?: ProcessIdentity; readonly mark?: string } = {},
): Holder {
  const token = randomBytes(6).toString('hex');
  const at = new Date().toISOString();
  return { token, owner, at, purpose, ...(mark === undefined ? {} : { mark }) };
}

/**
 * A lock is a file that names its holder. Invariants:
 * 1. It appears complete, by linking a finished file, so nobody ever reads half a holder.
 * 2. It is replaced only by the one process that holds the claim on its token (`<path>.take-<token>`, a lock
 *    of the same kind), and only while it still carries that token. So of several that find a dead holder one
 *    wins, and a slow one cannot push out the winner.
 * 3. A process that dies while it takes over leaves a claim with a dead holder: the same rule again.
 * 4. What cannot be read counts as held.
 */
export async function tryLockFile(
  path: string,
  mine: Holder,
  isDead: (holder: Holder) => boolean,
): Promise<Attempt> {
  const complete = `${path}.${mine.token}`;
  await writeFile(complete, written(mine), { mode: 0o600 });
  try {
    if (await linked(complete, path)) return { won: true };
    const holder = await readHolder(path);
    if (!holder || holder === UNREADABLE || !isDead(holder)) return { won: false, holder };
    return await takeOver(path, complete, mine, holder, isDead);
  } finally {
    await rm(complete, { force: true });
  }
}

/** Gives the lock back; leaves alone what is not ours. */
export async function unlockFile(path: string, mine: Holder): Promise<void> {
  const holder = await readHolder(path);
  if (holder?.token === mine.token) await rm(path, { force: true });
}

async function takeOver(
  path: string,
  complete: string,
  mine: Holder,
  dead: Holder,
  isDead: (holder: Holder) => boolean,
): Promise<Attempt> {
  const claim = `${path}.take-${dead.token}`;
  const claimed = await tryLockFile(claim, mine, isDead);
  if (!claimed.won) return { won: false, holder: dead };
  try {
    const holder = await readHolder(path);
    if (holder?.token !== dead.token) return { won: false, holder };
    await rename(complete, path);
    return { won: true };
  } finally {
    await unlockFile(claim, mine);
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** On no host: nobody can say that it is gone. */
const UNREADABLE: Holder = {
  token: 'unreadable',
  owner: { pid: 0, startTime: '', host: '' },
  at: '',
  purpose: 'something unknown',
};

/** Undefined when there is none. A file that names nobody was not written by us, or belongs to another user. */
export async function readHolder(path: string): Promise<Holder | undefined> {
  let text: string;
  try {
    text = readPlain(path).toString('utf8');
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return undefined;
    // A name that is no file was not made by us either.
    if (code === 'EACCES' || code === 'EPERM' || error instanceof StorageError) return UNREADABLE;
    throw error;
  }
  return parseHolder(text) ?? UNREADABLE;
}

function written({ owner, ...rest }: Holder): string {
  return `${JSON.stringify({ ...rest, ...owner })}\n`;
}

/** Locks of earlier versions have their owner as an object, or their token under the name `nonce`. */
function parseHolder(text: string): Holder | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (!isJsonObject(value)) return undefined;
  const token = value.token ?? value.nonce;
  const owner = readIdentity(value.owner ?? value);
  // It becomes part of a file name.
  if (!owner || typeof token !== 'string' || !/^[\w-]+$/.test(token)) return undefined;
  const { at, purpose, mark } = value;
  return {
    token,
    owner,
    at: typeof at === 'string' ? at : '',
    purpose: typeof purpose === 'string' ? purpose : 'something unknown',
    ...(typeof mark === 'string' ? { mark } : {}),
  };
}
