import { constants } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Claim } from '../../../backlog/scheduler.ts';
import { errorCode } from '../../../kernel/errors.ts';
import type { Baseline } from '../../../verification/baseline.ts';
import { findViolations } from '../../../verification/policy/violations.ts';
import {
  compareSnapshots,
  type FileStamp,
  type Snapshot,
  takeSnapshot,
} from '../../../workspace/snapshot/take-snapshot.ts';
import { controlChanges, type GitControl, gitControl } from './git-control.ts';
import type { LastRun, RunFolders } from './run-folder.ts';

/** What a direct task is compared with. */
export interface Beginning {
  /** The run whose folder holds it: an earlier one when this run continues its session. */
  readonly run: string;
  readonly before: Snapshot;
  readonly control: GitControl;
  /** What the checks said before anybody worked here; null where an earlier attempt has left something behind. */
  readonly baseline: Baseline | null;
  /** Files without a copy, because they or all of them together are too large: these cannot be put back. */
  readonly uncopied: readonly string[];
}

/**
 * Larger files are not copied, nor more than this altogether. A copy shares its blocks with the original where the disk
 * can do that; it is never a hard link, which an agent that writes in place would write through.
 */
const LARGEST_COPY = 32 * 1024 * 1024;
const ALL_COPIES = 1024 * 1024 * 1024;

/**
 * The files as they were before the task's session began. A run that continues a session finds what was
 * noted then. A new attempt begins with the files of now, except that what an earlier attempt left behind is
 * still the task's doing: otherwise a second attempt would hide what the first one did outside its paths.
 */
export async function beginningOf(
  root: string,
  folders: RunFolders,
  claim: Claim,
  check: () => Promise<Baseline>,
): Promise<Beginning> {
  const { task, runId, sessionId } = claim;
  const last = await folders.lastRun(task.id);
  const then = last && (await folders.before(last.run));
  if (last && then && then.root === root && last.session === sessionId)
    return {
      run: last.run,
      before: then,
      control: (await folders.control(last.run, 'before')) ?? {},
      baseline: null,
      uncopied: [],
    };
  const found = takeSnapshot(root);
  const carried = last && then?.root === root ? await carryOver(folders, last, then, found) : new Map();
  const baseline = carried.size === 0 ? await check() : null;
  // What the checks themselves leave behind is nobody's work.
  const now = baseline && baseline.checks.length > 0 ? takeSnapshot(root) : found;
  const before: Snapshot = { ...now, files: withCarried(now, carried) };
  const control = await carriedControl(folders, last, gitControl(root));
  let uncopied: readonly string[] = [];
  await folders.begin(task.id, { run: runId, session: sessionId }, { before, control }, async () => {
    uncopied = await keepCopies(folders, claim, before, (path) =>
      last && carried.has(path) ? folders.copyOf(last.run, path) : join(root, path),
    );
  });
  return { run: runId, before, control, baseline, uncopied };
}

/** What an earlier attempt did to git, and is still as it left it, is the task's doing too. */
async function carriedControl(
  folders: RunFolders,
  last: LastRun | undefined,
  now: GitControl,
): Promise<GitControl> {
  const before = last && (await folders.control(last.run, 'before'));
  if (!last || !before) return now;
  const after = (await folders.control(last.run, 'after')) ?? now;
  const { changed, added, removed } = controlChanges(before, after);
  const still = [...changed, ...added, ...removed].filter((path) => now[path] === after[path]);
  const entries = new Map(Object.entries(now));
  for (const path of still) {
    const was = before[path];
    if (was === undefined) entries.delete(path);
    else entries.set(path, was);
  }
  return Object.fromEntries(entries);
}

/** What was there before the earlier attempt, for each file that is still as that attempt left it. */
async function carryOver(
  folders: RunFolders,
  last: LastRun,
  then: Snapshot,
  now: Snapshot,
): Promise<Map<string, FileStamp | null>> {
  const left = await folders.leftBehind(last.run);
  const { changed, added, removed } = compareSnapshots(then, now);
  const still = [...changed, ...added, ...removed].filter(
    (path) => left === undefined || (left.has(path) && sameStamp(left.get(path), now.files.get(path))),
  );
  return new Map(still.map((path) => [path, then.files.get(path) ?? null]));
}

function withCarried(now: Snapshot, carried: ReadonlyMap<string, FileStamp | null>): Map<string, FileStamp> {
  const files = new Map(now.files);
  for (const [path, stamp] of carried) {
    if (stamp) files.set(path, stamp);
    else files.delete(path);
  }
  return files;
}

function sameStamp(a: FileStamp | null | undefined, b: FileStamp | undefined): boolean {
  return a ? a.mtimeMs === b?.mtimeMs && a.size === b.size : b === undefined;
}

/**
 * Copies of every file as it is before the agent comes, so that what it changes or deletes can be put back. What the
 * task may not touch goes first, then what it may, the small ones before the large; gives those that exceed the room.
 */
async function keepCopies(
  folders: RunFolders,
  { task, runId }: Claim,
  before: Snapshot,
  sourceOf: (path: string) => string,
): Promise<string[]> {
  const made = new Set<string>();
  const uncopied: string[] = [];
  let room = ALL_COPIES;
  for (const { path, size } of inOrder(task, before)) {
    if (size > LARGEST_COPY || size > room) {
      uncopied.push(path);
      continue;
    }
    room -= size;
    const copy = folders.copyOf(runId, path);
    const folder = dirname(copy);
    if (!made.has(folder)) await mkdir(folder, { recursive: true, mode: 0o700 });
    made.add(folder);
    await copyFile(sourceOf(path), copy, constants.COPYFILE_FICLONE).catch((error: unknown) => {
      // Unreadable, gone since, or never copied before: then it cannot be put back, and whoever asks learns so.
      if (errorCode(error) !== 'EACCES' && errorCode(error) !== 'ENOENT') throw error;
    });
  }
  return uncopied.sort();
}

function inOrder(
  { allowedPaths: allowed, deniedPaths: denied, commands, origin }: Claim['task'],
  { files }: Snapshot,
): { readonly path: string; readonly size: number }[] {
  const protection = { opened: allowed, commands, forStranger: origin === 'imported' };
  const forbidden = new Set(
    findViolations([...files.keys()], { allowed, denied, protection, mode: 'direct' }).map(
      ({ path }) => path,
    ),
  );
  return [...files]
    .map(([path, { size }]) => ({ path, size, last: forbidden.has(path) ? 0 : 1 }))
    .sort((a, b) => a.last - b.last || a.size - b.size);
}
