import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { errorMessage } from '../../kernel/errors.ts';
import type { SessionManager } from '../../orchestrator/state/session-manager.ts';
import { Database } from '../../store/database.ts';
import { BoundGit } from '../../workspace/checkpoints/bound-git.ts';
import { ROOT } from '../../workspace/checkpoints/ref-names.ts';
import { openRepository, type Repository } from '../../workspace/git/repository.ts';
import { diskUse } from '../../workspace/worktrees/disk-use.ts';
import { readRecords } from '../../workspace/worktrees/record.ts';
import { isRepository } from '../files/session-workspace.ts';
import type { OpenProject } from '../open.ts';
import { readSession } from '../sessions/list.ts';
import { clonesOf } from './clones.ts';

/** One kind of thing that is kept, how many there are and what they take. */
export interface DiskUse {
  readonly what: 'sessions' | 'logs' | 'checkpoints' | 'worktrees' | 'clones' | 'database';
  readonly count: number;
  /** Undefined for what shares its objects with the history of the repository. */
  readonly bytes?: number;
}

/** What loopwright keeps on the disk for a project; what is kept in the clones of github mode counts with those. */
export async function diskOf(opened: OpenProject): Promise<DiskUse[]> {
  const { project } = opened;
  const logs = join(project.folder, 'logs');
  const database = databaseFiles(databaseOf(project.folder));
  return [
    { what: 'sessions', count: entriesIn(project.sessions), bytes: await diskUse(project.sessions) },
    { what: 'logs', count: entriesIn(logs), bytes: await diskUse(logs) },
    ...(await inRepository(project.dir)),
    ...(await inClones(await clonesOf(opened))),
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

async function inClones(clones: readonly Repository[]): Promise<DiskUse[]> {
  if (clones.length === 0) return [];
  let bytes = 0;
  for (const { dir } of clones) bytes += await diskUse(dir);
  return [{ what: 'clones', count: clones.length, bytes }];
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
    return 'summary' in listed && listed.summary.status === 'running' && listed.summary.ownerAlive;
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
