import { rmSync } from 'node:fs';
import { logFolderOf } from '../../tasks/prepare/make-ready.ts';
import { leavePlans } from '../files/turns.ts';
import type { OpenProject } from '../open.ts';
import { findSession, readSession } from '../sessions/list.ts';
import { type Choice, chooseForCleaning } from './cleaning.ts';
import { refuseDamagedDatabase, type Shrunk, shrinkDatabase } from './disk.ts';
import { type FilesRemover, filesRemover } from './remove-files.ts';

export interface CleanRequest {
  /** Only these; otherwise all that have ended. */
  readonly sessions?: readonly string[];
  readonly olderThanMs?: number;
  /** Also named sessions that could still be continued. */
  readonly force?: boolean;
}

/** What would be deleted, for whoever is asked first. */
export interface CleaningPlan extends Choice {
  readonly bytes: number;
  /** Why the files of a session stay, by its id. */
  readonly filesKept: { readonly [session: string]: string };
}

export async function cleanable(opened: OpenProject, request: CleanRequest = {}): Promise<CleaningPlan> {
  return (await plan(opened, request)).planned;
}

export interface Cleaned extends CleaningPlan, Shrunk {
  /** What was left behind or went wrong on the way. */
  readonly notes: readonly string[];
}

/** Deletes sessions that have ended; never work that was delivered nowhere. */
export async function clean(opened: OpenProject, request: CleanRequest = {}): Promise<Cleaned> {
  const { planned, remover } = await plan(opened, request);
  const notes: string[] = [];
  for (const { id } of planned.chosen) notes.push(...(await remove(opened, planned, remover, id)));
  const shrunk: Shrunk = planned.chosen.length === 0 ? { freed: 0 } : await shrinkDatabase(opened);
  if (shrunk.problem !== undefined) notes.push(shrunk.problem);
  return { ...planned, ...shrunk, notes };
}

async function plan(
  opened: OpenProject,
  { sessions: words = [], olderThanMs = 0, force = false }: CleanRequest,
): Promise<{ planned: CleaningPlan; remover: FilesRemover | undefined }> {
  refuseDamagedDatabase(opened);
  const { sessions, project } = opened;
  const named = words.map((word) => findSession(sessions, word));
  const choice = chooseForCleaning(sessions, project.sessions, { named, olderThanMs, force });
  const { remover, filesKept } = await keptFilesOf(opened, choice);
  const bytes = choice.chosen.reduce((sum, { size }) => sum + size, 0);
  return { planned: { ...choice, bytes, filesKept }, remover };
}

/** What becomes of the worktrees and checkpoints of the sessions that go. */
async function keptFilesOf(opened: OpenProject, { chosen }: Choice) {
  const { sessions } = opened;
  const withFiles = chosen.filter(({ id }) => {
    const listed = readSession(sessions, id);
    return 'summary' in listed && listed.summary.files !== null;
  });
  const ids = withFiles.map(({ id }) => id);
  if (ids.length === 0) return { remover: undefined, filesKept: {} };
  const remover = await filesRemover(opened, ids);
  const filesKept: { [session: string]: string } = {};
  for (const id of ids) {
    const why = await remover.objection(id);
    if (why !== undefined) filesKept[id] = why;
  }
  return { remover, filesKept };
}

/** The files first: while the session is there, repeating it finishes what a kill interrupted. */
async function remove(
  { project, sessions }: OpenProject,
  { filesKept }: CleaningPlan,
  remover: FilesRemover | undefined,
  id: string,
): Promise<string[]> {
  const stays = filesKept[id];
  const result = stays === undefined ? await remover?.remove(id) : undefined;
  const why = result?.removed === false ? result.why : stays;
  if (why === undefined) rmSync(logFolderOf(project.folder, id), { recursive: true, force: true });
  await leavePlans(project, id);
  sessions.remove(id);
  if (why !== undefined) return [`the files of ${id} were left: ${why}`];
  return result?.removed ? [...result.problems] : [];
}
