import { rmSync } from 'node:fs';
import { action } from '../../kernel/action.ts';
import { ConflictError } from '../../kernel/errors.ts';
import { logFolderOf } from '../../tasks/prepare/make-ready.ts';
import { removeExperimentsOf } from '../calls/experiments.ts';
import { leavePlans } from '../files/turns.ts';
import type { OpenProject } from '../open.ts';
import { removeReview } from '../reviews/review.ts';
import { findSession, readSession } from '../sessions/list.ts';
import { type Choice, chooseForCleaning } from './cleaning.ts';
import { refuseDamagedDatabase, type Shrunk, shrinkDatabase } from './disk.ts';
import { type FilesRemover, filesRemover } from './remove-files.ts';

export interface CleanRequest {
  /** Only these; otherwise all that have ended. */
  readonly sessions?: readonly string[];
  readonly olderThanMs?: number;
  /** Also named sessions that could still be continued, or whose work was delivered nowhere; that goes too. */
  readonly force?: boolean;
}

/** What would be deleted, for whoever is asked first. */
export interface CleaningPlan extends Choice {
  readonly bytes: number;
  /** Why the files of a session that goes stay, by its id. */
  readonly filesKept: { readonly [session: string]: string };
  /** Which sessions stay because of work that is nowhere else, and why. */
  readonly undelivered: { readonly [session: string]: string };
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
  const forced = force && named.length > 0;
  const { remover, objections } = forced
    ? { remover: await removerFor(opened, choice, { force: true }), objections: {} }
    : await objectionsTo(opened, choice);
  const { filesKept, undelivered } = sorted(sessions, objections);
  if (named.length > 0) refuseUndelivered(undelivered);
  const chosen = choice.chosen.filter(({ id }) => undelivered[id] === undefined);
  const kept = choice.kept + choice.chosen.length - chosen.length;
  const bytes = chosen.reduce((sum, { size }) => sum + size, 0);
  return { planned: { chosen, kept, bytes, filesKept, undelivered }, remover };
}

type Reasons = { readonly [session: string]: string };

/** What somebody decided to keep on its branch stays there by itself; without its session the rest would be lost. */
function sorted(
  sessions: OpenProject['sessions'],
  objections: Reasons,
): { readonly filesKept: Reasons; readonly undelivered: Reasons } {
  const isKept = (id: string): boolean => {
    const listed = readSession(sessions, id);
    return 'summary' in listed && listed.summary.delivery?.kind === 'kept';
  };
  const entries = Object.entries(objections);
  return {
    filesKept: Object.fromEntries(entries.filter(([id]) => isKept(id))),
    undelivered: Object.fromEntries(entries.filter(([id]) => !isKept(id))),
  };
}

function refuseUndelivered(undelivered: Reasons): void {
  const [first] = Object.entries(undelivered);
  if (!first) return;
  const [session, why] = first;
  throw new ConflictError(`Session ${session} is kept, with its files: ${why}`, {
    next: {
      ...action('session.clean', 'Accept it or discard it; or force it, and nothing brings it back', {
        session,
        force: true,
      }),
      danger: true,
    },
  });
}

function removerFor(
  opened: OpenProject,
  choice: Choice,
  options: { readonly force?: boolean } = {},
): Promise<FilesRemover> | undefined {
  const ids = withFiles(opened, choice);
  return ids.length === 0 ? undefined : filesRemover(opened, ids, options);
}

function withFiles({ sessions }: OpenProject, { chosen }: Choice): string[] {
  return chosen.flatMap(({ id }) => {
    const listed = readSession(sessions, id);
    return 'summary' in listed && listed.summary.files !== null ? [id] : [];
  });
}

/** Why the worktrees and checkpoints of the sessions that would go should not. */
async function objectionsTo(
  opened: OpenProject,
  choice: Choice,
): Promise<{ readonly remover: FilesRemover | undefined; readonly objections: Reasons }> {
  const remover = await removerFor(opened, choice);
  const objections: { [session: string]: string } = {};
  for (const id of remover ? withFiles(opened, choice) : []) {
    const why = await remover?.objection(id);
    if (why !== undefined) objections[id] = why;
  }
  return { remover, objections };
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
  removeReview({ project }, id);
  await removeExperimentsOf({ project }, id);
  if (why !== undefined) return [`the files of ${id} were left: ${why}`];
  return result?.removed ? [...result.problems] : [];
}
