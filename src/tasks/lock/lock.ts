import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { TASK_LOCKS } from '../../config/runtime/table.ts';
import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import { isAlive } from '../../process/identity.ts';
import { type Holder, newHolder, readHolder, tryLockFile, unlockFile } from '../../process/lock-file.ts';
import { makeOurs } from '../../process/runtime-folder.ts';

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

/** Takes the lock of a task, or gives undefined when somebody has it, also on another host. */
export async function takeLock(
  folder: string,
  task: string,
  { lost, ...holder }: LockOptions = {},
): Promise<TaskLock | undefined> {
  if (folder === TASK_LOCKS) makeOurs(dirname(folder));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = lockFile(folder, task);
  const mine = newHolder(`task ${task}`, holder);
  const attempt = await tryLockFile(file, mine, ({ owner }) => isLeftBehind(owner, lost));
  return attempt.won ? { file, release: () => unlockFile(file, mine) } : undefined;
}

/** What the lock of a task is held for, as far as its holder said so. */
export async function heldFor(folder: string, task: string): Promise<string | undefined> {
  return (await readHolder(lockFile(folder, task)))?.mark;
}

function lockFile(folder: string, task: string): string {
  return join(folder, `${task}.lock`);
}

function isLeftBehind(owner: Holder['owner'], lost: ProcessIdentity | undefined): boolean {
  const isLost = lost !== undefined && lost.pid === owner.pid && lost.startTime === owner.startTime;
  return isLost || !isAlive(owner);
}
