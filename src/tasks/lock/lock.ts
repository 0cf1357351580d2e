import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import { type ProcessIdentity, readIdentity } from '../../kernel/process-identity.ts';
import { isAlive, ownIdentity } from '../../process/identity.ts';

/** The right to run a task on this machine. */
export interface TaskLock {
  readonly file: string;
  release(): Promise<void>;
}

export interface LockOptions {
  readonly owner?: ProcessIdentity;
  /** A former owner whose lease was lost: its lock counts as left behind although its process lives. */
  readonly lost?: ProcessIdentity;
  /** What it is taken for, so that the same delivery is known when it comes again. */
  readonly mark?: string;
}

interface Holder extends ProcessIdentity {
  readonly task: string;
  readonly at: string;
  /** Tells this taking from every other one, also by the same process. */
  readonly nonce: string;
  readonly mark?: string;
}

/**
 * Takes the lock of a task, or gives undefined when somebody has it. Invariants:
 * 1. A lock appears whole: it is written aside and linked, so nobody reads half of it.
 * 2. The lock of a dead process is removed only by who holds the exclusive right to remove that very lock, so
 *    two that find it never remove each other's new one.
 * 3. What cannot be read, or belongs to another host, counts as held.
 */
export async function takeLock(
  folder: string,
  task: string,
  options: LockOptions = {},
): Promise<TaskLock | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = lockFile(folder, task);
  const nonce = await take(file, task, options);
  if (nonce === undefined) return undefined;
  return {
    file,
    async release() {
      if ((await holderOf(file))?.nonce === nonce) await rm(file, { force: true });
    },
  };
}

/** What the lock of a task is held for, as far as its holder said so. */
export async function heldFor(folder: string, task: string): Promise<string | undefined> {
  return (await holderOf(lockFile(folder, task)))?.mark;
}

function lockFile(folder: string, task: string): string {
  return join(folder, `${task}.lock`);
}

/** The nonce of the new lock; undefined when it is held. */
async function take(file: string, task: string, options: LockOptions): Promise<string | undefined> {
  const created = await create(file, task, options);
  if (created !== undefined) return created;
  const seen = await holderOf(file);
  if (!seen || !isLeftBehind(seen, options)) return undefined;
  const right = `${file}.${seen.nonce}`;
  if ((await take(right, task, options)) === undefined) return undefined;
  try {
    if ((await holderOf(file))?.nonce !== seen.nonce) return undefined;
    const aside = `${right}.dead`;
    await rename(file, aside);
    await rm(aside, { force: true });
    return await create(file, task, options);
  } finally {
    await rm(right, { force: true });
  }
}

async function create(file: string, task: string, { owner, mark }: LockOptions): Promise<string | undefined> {
  const nonce = randomUUID();
  const holder: Holder = {
    task,
    ...(owner ?? ownIdentity()),
    at: new Date().toISOString(),
    nonce,
    ...(mark === undefined ? {} : { mark }),
  };
  const aside = `${file}.${nonce}.new`;
  await writeFile(aside, `${JSON.stringify(holder)}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(aside, file);
    return nonce;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return undefined;
  } finally {
    await rm(aside, { force: true });
  }
}

/** Who holds the lock, as far as it can be read. */
async function holderOf(file: string): Promise<Holder | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    const identity = readIdentity(value);
    const { nonce, task, at, mark } = value as Partial<Holder>;
    if (!identity || typeof nonce !== 'string' || !/^[\w-]+$/.test(nonce)) return undefined;
    return { ...identity, nonce, task: task ?? '', at: at ?? '', ...(mark === undefined ? {} : { mark }) };
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) !== undefined) return undefined;
    throw error;
  }
}

function isLeftBehind(holder: Holder, { lost }: LockOptions): boolean {
  const isLost = lost !== undefined && lost.pid === holder.pid && lost.startTime === holder.startTime;
  return isLost || !isAlive(holder);
}
