import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, errorMessage, LoopwrightError, StorageError } from '../../kernel/errors.ts';
import { isEndedState, processState } from '../../process/identity.ts';
import {
  type Attempt,
  type Holder,
  newHolder,
  readHolder,
  tryLockFile,
  unlockFile,
} from '../../process/lock-file.ts';
import { systemProcesses } from '../../process/process-table.ts';
import { heldRepoLock, holdingRepoLock, LOCK_MARKER } from './lock-context.ts';

export interface RepoLockOptions {
  /** Half a sentence for whoever has to wait: `adding the worktree x`. */
  readonly purpose?: string;
  /** How long one and the same holder is waited for. */
  readonly waitMs?: number;
}

/** Another process is changing the repository and did not finish in time; nothing was changed. */
export class RepositoryBusyError extends LoopwrightError {}

const LOCK_NAME = 'loopwright.lock';
const WAIT_MS = 120_000;
const FIRST_POLL_MS = 5;
const LONGEST_POLL_MS = 200;

/** The last piece of work queued per repository, so that one process does not poll against itself. */
const queues = new Map<string, Promise<void>>();

/**
 * Runs what git cannot do in parallel on one repository: one at a time, in this process and across processes.
 * Work inside that asks for the same lock goes straight on.
 */
export async function withRepoLock<T>(
  repo: { readonly commonDir: string },
  action: () => Promise<T>,
  options: RepoLockOptions = {},
): Promise<T> {
  const { commonDir } = repo;
  if (heldRepoLock()?.commonDir === commonDir) return action();
  const before = queues.get(commonDir) ?? Promise.resolve();
  const run = before.then(() => locked(commonDir, action, options));
  const settled = run.then(
    () => undefined,
    () => undefined,
  );
  queues.set(commonDir, settled);
  try {
    return await run;
  } finally {
    if (queues.get(commonDir) === settled) queues.delete(commonDir);
  }
}

async function locked<T>(commonDir: string, action: () => Promise<T>, options: RepoLockOptions): Promise<T> {
  const path = join(commonDir, LOCK_NAME);
  const mine = newHolder(options.purpose ?? 'changing the repository');
  const waitMs = options.waitMs ?? WAIT_MS;
  const busyWith = await acquire(() => tryOrExplain(path, mine), waitMs);
  if (busyWith) throw busy(path, busyWith, waitMs);
  try {
    return await holdingRepoLock({ commonDir, token: mine.token }, action);
  } finally {
    await unlockFile(path, mine);
  }
}

/**
 * Tries until it has the lock; gives the holder that was waited for too long instead. The limit counts per holder: a
 * long queue that moves is no reason to give up, and neither is a lock that was freed while we looked at it.
 */
export async function acquire(attempt: () => Promise<Attempt>, waitMs: number): Promise<Holder | undefined> {
  let waitedFor: Holder | undefined;
  let deadline = 0;
  for (let pause = FIRST_POLL_MS; ; pause = Math.min(pause * 2, LONGEST_POLL_MS)) {
    const tried = await attempt();
    if (tried.won) return undefined;
    if (tried.holder?.token !== waitedFor?.token) {
      waitedFor = tried.holder;
      deadline = performance.now() + waitMs;
      pause = FIRST_POLL_MS;
    }
    if (waitedFor && performance.now() >= deadline) return waitedFor;
    await sleep(pause);
  }
}

async function tryOrExplain(path: string, mine: Holder): Promise<Attempt> {
  try {
    return await tryLockFile(path, mine, isDead);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw new StorageError(`The repository's lock ${path} cannot be written: ${errorMessage(error)}`, {
      next: 'See that the disk is not full and that you may write there.',
      cause: error,
    });
  }
}

/**
 * A killed process leaves the git it had started running; until that has ended too the repository is in use.
 * Where environments cannot be read (macOS) such a git is not seen.
 */
function isDead(holder: Holder): boolean {
  if (processState(holder.owner) !== 'gone') return false;
  const mark = `\0${LOCK_MARKER}=${holder.token}\0`;
  return !systemProcesses
    .rows()
    .some(
      (row) => !isEndedState(row.state) && `\0${systemProcesses.environment(row.pid) ?? ''}`.includes(mark),
    );
}

function busy(path: string, holder: Holder, waitMs: number): RepositoryBusyError {
  const seconds = Math.round(waitMs / 1000);
  const who = `process ${holder.owner.pid} on ${holder.owner.host || 'an unknown host'} (${holder.purpose})`;
  return new RepositoryBusyError(
    `The repository has been held by ${who} for more than ${seconds} s: ${path}`,
    {
      next: `Wait for it, or, when you are sure that it is gone, remove ${path}.`,
    },
  );
}

/**
 * Removes what killed processes left beside the lock. Safe while we hold it: a claim only matters for the
 * token that the lock carries, and that is ours, alive.
 */
export async function clearDeadLockFiles(commonDir: string): Promise<void> {
  await withRepoLock({ commonDir }, async () => {
    for (const name of await readdir(commonDir)) {
      if (!name.startsWith(`${LOCK_NAME}.`)) continue;
      const path = join(commonDir, name);
      const holder = await readHolder(path);
      if (holder && processState(holder.owner) === 'gone') await rm(path, { force: true });
    }
  });
}
