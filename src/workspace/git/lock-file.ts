import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { errorCode } from '../../kernel/errors.ts';
import { isJsonObject } from '../../kernel/json.ts';
import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import { ownIdentity } from '../../process/identity.ts';

/** Who holds a lock file, since when and what for. */
export interface Holder {
  /** Unique to one holding. */
  readonly token: string;
  readonly owner: ProcessIdentity;
  readonly since: number;
  readonly purpose: string;
}

export type Attempt = { readonly won: true } | { readonly won: false; readonly holder: Holder | undefined };

export function newHolder(purpose: string, now: number): Holder {
  return { token: randomBytes(6).toString('hex'), owner: ownIdentity(), since: now, purpose };
}

/**
 * A lock is a file that names its holder. Invariants:
 * 1. It appears complete, by linking a finished file, so nobody ever reads half a holder.
 * 2. It is replaced only by the one process that holds the claim on its token (`<path>.take-<token>`, a lock
 *    of the same kind), and only while it still carries that token. So of several that find a dead holder one
 *    wins, and a slow one cannot push out the winner.
 * 3. A process that dies while it takes over leaves a claim with a dead holder: the same rule again.
 */
export async function tryLockFile(
  path: string,
  mine: Holder,
  isDead: (holder: Holder) => boolean,
): Promise<Attempt> {
  const complete = `${path}.${mine.token}`;
  await writeFile(complete, JSON.stringify(mine), { mode: 0o600 });
  try {
    if (await linked(complete, path)) return { won: true };
    const holder = await readHolder(path);
    if (!holder || !isDead(holder)) return { won: false, holder };
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

/** Undefined when there is none. A file that names nobody was not written by us and counts as held. */
export async function readHolder(path: string): Promise<Holder | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  return parseHolder(text) ?? { token: 'unreadable', owner: NOBODY, since: 0, purpose: 'something unknown' };
}

/** On no host: nobody can say that it is gone. */
const NOBODY: ProcessIdentity = { pid: 0, startTime: '', host: '' };

function parseHolder(text: string): Holder | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (!isJsonObject(value) || !isJsonObject(value.owner)) return undefined;
  const { token, since, purpose } = value;
  const { pid, startTime, host } = value.owner;
  if (typeof token !== 'string' || typeof since !== 'number' || typeof purpose !== 'string') return undefined;
  if (typeof pid !== 'number' || typeof startTime !== 'string' || typeof host !== 'string') return undefined;
  return { token, since, purpose, owner: { pid, startTime, host } };
}
