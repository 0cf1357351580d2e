import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionManager } from '../../orchestrator/state/session-manager.ts';
import { hasStore } from '../../store/open.ts';
import { refuseDamagedStore, type Shrunk, shrinkStore, storeBytes } from '../../store/upkeep.ts';
import { ROOT } from '../../workspace/checkpoints/ref-names.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import { openRepository, type Repository } from '../../workspace/git/repository.ts';
import { diskUse } from '../../workspace/worktrees/disk-use.ts';
import { readRecords } from '../../workspace/worktrees/record.ts';
import { isRepository } from '../files/session-workspace.ts';
import type { OpenProject } from '../open.ts';
import { readSession } from '../sessions/list.ts';
import { clonesOf } from './clones.ts';

export type { Shrunk } from '../../store/upkeep.ts';

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
  return [
    { what: 'sessions', count: entriesIn(project.sessions), bytes: await diskUse(project.sessions) },
    { what: 'logs', count: entriesIn(logs), bytes: await diskUse(logs) },
    ...(await inRepository(project.dir)),
    ...(await inClones(await clonesOf(opened))),
    { what: 'database', count: hasStore(project.folder) ? 1 : 0, bytes: storeBytes(project.folder) },
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

/** Before anything is deleted: a damaged database is reported with what to do, not met half-way. */
export function refuseDamagedDatabase({ project }: OpenProject): void {
  refuseDamagedStore(project.folder);
}

/** Gives the room that deleted rows left behind back to the disk, unless somebody is at work: all would wait. */
export async function shrinkDatabase({ project, services }: OpenProject): Promise<Shrunk> {
  return isAnyRunning(services.sessions) ? { freed: 0 } : shrinkStore(project.folder);
}

function isAnyRunning(sessions: SessionManager): boolean {
  return sessions.ids().some((id) => {
    const listed = readSession(sessions, id);
    return 'summary' in listed && listed.summary.status === 'running' && listed.summary.ownerAlive;
  });
}

function entriesIn(folder: string): number {
  return existsSync(folder) ? readdirSync(folder).length : 0;
}
