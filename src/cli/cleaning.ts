import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { errorMessage, UsageError } from '../kernel/errors.ts';
import type { SessionManager } from '../orchestrator/state/session-manager.ts';
import { Database } from '../store/database.ts';
import { BoundGit } from '../workspace/checkpoints/bound-git.ts';
import { ROOT } from '../workspace/checkpoints/ref-names.ts';
import { openRepository } from '../workspace/git/repository.ts';
import { diskUse } from '../workspace/worktrees/disk-use.ts';
import { readRecords } from '../workspace/worktrees/record.ts';
import type { OpenProject } from './open-project.ts';
import { type Listed, NEVER_STARTED, readSession, statusWord } from './session-list.ts';
import { isRepository } from './workspace/session-files.ts';

interface Cleanable {
  readonly id: string;
  readonly status: string;
  readonly size: number;
  readonly updatedAt: number;
}

export interface Choice {
  readonly chosen: readonly Cleanable[];
  readonly kept: number;
}

interface Wanted {
  readonly named: readonly string[];
  readonly olderThanMs: number;
  readonly force: boolean;
}

/** So long a folder without a record may belong to a process that is about to write it. */
const STARTING_MS = 60_000;

/** Which sessions may go. One that could still be continued goes only when it is named and forced. */
export function chooseForCleaning(
  sessions: SessionManager,
  root: string,
  wanted: Wanted,
  now = Date.now(),
): Choice {
  const { named } = wanted;
  const ids = named.length > 0 ? [...new Set(named)] : sessions.ids();
  const chosen: Cleanable[] = [];
  for (const id of ids) {
    const listed = readSession(sessions, id);
    if (named.length > 0) refuseNamed(listed, wanted.force);
    else if (!isOver(listed)) continue;
    const entry = cleanable(listed, root);
    if (entry.status === NEVER_STARTED && now - entry.updatedAt < STARTING_MS && named.length === 0) continue;
    if (now - entry.updatedAt >= wanted.olderThanMs) chosen.push(entry);
  }
  return { chosen, kept: ids.length - chosen.length };
}

/** A failed session can be retried, so it is not over. */
function isOver(listed: Listed): boolean {
  if ('problem' in listed) return listed.neverStarted;
  const { status } = listed.snapshot.state;
  return status === 'completed' || status === 'aborted';
}

function refuseNamed(listed: Listed, force: boolean): void {
  const { id } = listed;
  if ('snapshot' in listed && listed.snapshot.state.status === 'running' && listed.snapshot.ownerAlive) {
    throw new UsageError(`Session ${id} is running.`, {
      next: `End it first with \`loopwright abort ${id}\`.`,
    });
  }
  if (isOver(listed) || force) return;
  const why =
    'problem' in listed
      ? `cannot be read (${listed.problem})`
      : `is ${statusWord(listed.snapshot)} and could still be continued`;
  throw new UsageError(`Session ${id} ${why}.`, {
    next: `Add --force to delete it all the same; nothing brings it back.`,
  });
}

function cleanable(listed: Listed, root: string): Cleanable {
  const { id } = listed;
  const folder = join(root, id);
  const size = sizeOf(folder);
  if ('problem' in listed) {
    const status = listed.neverStarted ? NEVER_STARTED : 'unreadable';
    return { id, status, size, updatedAt: lstatSync(folder).mtimeMs };
  }
  return { id, status: statusWord(listed.snapshot), size, updatedAt: listed.snapshot.state.updatedAt };
}

function sizeOf(path: string): number {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/** One kind of thing that is kept, how many there are and what they take. */
export interface DiskUse {
  readonly what: 'sessions' | 'logs' | 'checkpoints' | 'worktrees' | 'database';
  readonly count: number;
  /** Undefined for what shares its objects with the history of the repository. */
  readonly bytes?: number;
}

/** What loopwright keeps on the disk for a project; worktrees and checkpoints are those of its repository. */
export async function diskOf({ project }: OpenProject): Promise<DiskUse[]> {
  const logs = join(project.folder, 'logs');
  const database = databaseFiles(databaseOf(project.folder));
  return [
    { what: 'sessions', count: entriesIn(project.sessions), bytes: await diskUse(project.sessions) },
    { what: 'logs', count: entriesIn(logs), bytes: await diskUse(logs) },
    ...(await inRepository(project.dir)),
    { what: 'database', count: database.length > 0 ? 1 : 0, bytes: sizeOfAll(database) },
  ];
}

async function inRepository(dir: string): Promise<DiskUse[]> {
  if (!(await isRepository(dir))) return [];
  const repo = await openRepository(dir);
  const refs = await new BoundGit(repo.dir).out(['for-each-ref', '--format=%(refname)', `${ROOT}/`]);
  const records = await readRecords(repo.commonDir);
  let bytes = 0;
  for (const { path } of records) bytes += await diskUse(path);
  return [
    { what: 'checkpoints', count: refs === '' ? 0 : refs.split('\n').length },
    { what: 'worktrees', count: records.length, bytes },
  ];
}

/** Before anything is deleted: a damaged database is told with what to do, not met half-way. */
export function refuseDamagedDatabase({ project }: OpenProject): void {
  const file = databaseOf(project.folder);
  if (existsSync(file)) Database.open(file).close();
}

/** What became of the free pages of the database. */
export interface Shrunk {
  readonly freed: number;
  readonly problem?: string;
}

/** Gives the pages that deleted rows left behind back to the disk, unless somebody is at work: all would wait. */
export async function shrinkDatabase({ project, services }: OpenProject): Promise<Shrunk> {
  const file = databaseOf(project.folder);
  if (!existsSync(file) || isAnyRunning(services.sessions)) return { freed: 0 };
  const before = sizeOfAll(databaseFiles(file));
  const database = Database.open(file);
  try {
    const { query } = database;
    const running = await query
      .selectFrom('task')
      .select('id')
      .where('state', '=', 'running')
      .limit(1)
      .execute();
    if (running.length > 0) return { freed: 0 };
    const free = await sql<{ freelist_count: number }>`pragma freelist_count`.execute(query);
    if (free.rows[0]?.freelist_count === 0) return { freed: 0 };
    await sql`vacuum`.execute(query);
    await sql`pragma wal_checkpoint(truncate)`.execute(query);
  } catch (error) {
    // What was to be deleted is gone already; a database in use is made smaller another time.
    return { freed: 0, problem: `the database was not made smaller: ${errorMessage(error)}` };
  } finally {
    database.close();
  }
  return { freed: Math.max(0, before - sizeOfAll(databaseFiles(file))) };
}

function isAnyRunning(sessions: SessionManager): boolean {
  return sessions.ids().some((id) => {
    const listed = readSession(sessions, id);
    return 'snapshot' in listed && listed.snapshot.state.status === 'running' && listed.snapshot.ownerAlive;
  });
}

function databaseOf(folder: string): string {
  return join(folder, 'loopwright.db');
}

function databaseFiles(file: string): string[] {
  return [file, `${file}-wal`, `${file}-shm`].filter((each) => existsSync(each));
}

function sizeOfAll(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}

function entriesIn(folder: string): number {
  return existsSync(folder) ? readdirSync(folder).length : 0;
}
