import { existsSync } from 'node:fs';
import { copyFile, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { UsageError } from '../../../kernel/errors.ts';
import {
  compareSnapshots,
  type FileStamp,
  type Snapshot,
  takeSnapshot,
} from '../../../workspace/snapshot/take-snapshot.ts';
import { type LeftBehind, RunFolders } from './run-folder.ts';
import { toTrash } from './trash.ts';

/** A file that a direct task changed or removed and that was there before. */
export interface Restorable {
  readonly path: string;
  readonly what: 'changed' | 'removed';
  /** A copy of how it was is kept; without one it cannot be put back. */
  readonly copy: boolean;
  /** Somebody else, such as a later task, has changed or removed it since: it is put back only when it is named. */
  readonly since: boolean;
}

/** What a task changed or removed since it began. */
export async function restorable(stateDir: string, taskId: string): Promise<readonly Restorable[]> {
  const { run, before, folders } = await lastOf(stateDir, taskId);
  const now = takeSnapshot(before.root);
  const { changed, removed } = compareSnapshots(before, now);
  const left = await folders.leftBehind(run);
  const offer = (what: Restorable['what']) => (path: string) => ({
    path,
    what,
    copy: existsSync(folders.copyOf(run, path)),
    since: left !== undefined && !isAsLeft(left, path, now.files.get(path)),
  });
  return [...changed.map(offer('changed')), ...removed.map(offer('removed'))];
}

/** Puts files back from the copies that were kept; how they are now goes to the trash. */
export async function restoreTask(
  stateDir: string,
  taskId: string,
  paths?: readonly string[],
): Promise<{
  readonly restored: readonly string[];
  readonly kept: readonly string[];
  readonly trash: string;
}> {
  const { run, before, folders } = await lastOf(stateDir, taskId);
  const offered = await restorable(stateDir, taskId);
  const wanted =
    paths === undefined
      ? offered.filter(({ since }) => !since)
      : offered.filter(({ path }) => paths.includes(path));
  const trash = join(stateDir, 'trash', run);
  const stamps = new Map<string, FileStamp>();
  for (const { path, what, copy } of wanted) {
    if (!copy || !(await staysInside(before.root, path))) continue;
    if (what === 'changed') await toTrash(before.root, path, trash);
    const target = join(before.root, path);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(folders.copyOf(run, path), target);
    const { mtimeMs, size } = await stat(target);
    stamps.set(path, { mtimeMs, size });
  }
  await folders.amend(run, before, stamps);
  const restored = [...stamps.keys()];
  const done = new Set(restored);
  const kept = (paths ?? wanted.map(({ path }) => path)).filter((path) => !done.has(path));
  return { restored, kept, trash };
}

function isAsLeft(left: LeftBehind, path: string, now: FileStamp | undefined): boolean {
  if (!left.has(path)) return false;
  const then = left.get(path);
  return then ? then.mtimeMs === now?.mtimeMs && then.size === now.size : now === undefined;
}

/** A folder on the way may have become a link that leads out of the project. */
async function staysInside(root: string, path: string): Promise<boolean> {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const place = join(root, folder);
    if (existsSync(place)) return `${await realpath(place)}${sep}`.startsWith(`${root}${sep}`);
  }
  return true;
}

async function lastOf(
  stateDir: string,
  taskId: string,
): Promise<{ run: string; before: Snapshot; folders: RunFolders }> {
  const folders = new RunFolders(stateDir);
  const last = await folders.lastRun(taskId);
  const before = last && (await folders.before(last.run));
  if (last && before) return { run: last.run, before, folders };
  throw new UsageError(`Nothing is kept of task ${taskId} that could be put back.`, {
    next: 'Only tasks in direct mode that have not ended keep copies; elsewhere git has them.',
  });
}
