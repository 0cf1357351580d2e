import { existsSync } from 'node:fs';
import type { SessionSummary } from '../../orchestrator/state/session-reader.ts';
import { isFinal } from '../../orchestrator/state/status.ts';
import type { ProjectSessions } from '../open.ts';
import { readSession, statusWord } from './list.ts';

/** What somebody who named no session or task may mean. */
export interface Candidate {
  readonly id: string;
  readonly kind: 'session' | 'task';
  /** How it stands. */
  readonly word: string;
  /** The goal of a session, the title of a task. */
  readonly title: string;
}

type Fits = (session: SessionSummary) => boolean;

/** Its own process works on it. */
const runs: Fits = ({ ownerAlive }) => ownerAlive;
const rests: Fits = ({ ownerAlive }) => !ownerAlive;
const isOver: Fits = ({ status }) => isFinal(status);
const hasFiles: Fits = ({ files, delivery }) => files !== null && delivery?.kind !== 'discarded';
const isDelivered: Fits = ({ delivery }) => delivery?.kind === 'delivered';
const waitsForDecision: Fits = (session) =>
  hasFiles(session) && rests(session) && !isDelivered(session) && session.delivery?.kind !== 'proposed';
const hasChanged: Fits = ({ outcome, halt }) => outcome !== 'no_change' && halt?.reason !== 'no_change';
const canContinue: Fits = (session) => rests(session) && !isOver(session) && session.status !== 'failed';

/** For which sessions it makes sense. The backlog looks after those of its tasks. */
const FITS = {
  resume: canContinue,
  step: canContinue,
  retry: (session) => rests(session) && (session.status === 'halted' || session.status === 'failed'),
  abort: (session) => !isOver(session),
  interrupt: (session) => runs(session) && session.status === 'running',
  reach: (session) => runs(session) && session.status === 'running',
  answer: (session) =>
    session.halt?.question !== undefined || (runs(session) && session.questions.length > 0),
  accept: (session) =>
    waitsForDecision(session) &&
    hasChanged(session) &&
    (session.status === 'completed' || isHeldBack(session)),
  keep: (session) => waitsForDecision(session) && hasChanged(session) && session.step > 0,
  discard: waitsForDecision,
  undo: isDelivered,
  fork: (session) => hasFiles(session) && session.step > 0,
  rewind: (session) => hasFiles(session) && rests(session) && session.step > 0,
  hold: (session) => hasFiles(session) && canContinue(session),
} as const satisfies { readonly [purpose: string]: Fits };

/** Halted with its work done: a person may take it as it is. */
function isHeldBack({ halt }: SessionSummary): boolean {
  return halt?.reason === 'suspicious' || halt?.reason === 'unproven' || halt?.reason === 'flaky';
}

export type SessionPurpose = keyof typeof FITS | 'look';

/** The sessions that may be meant, newest first; for a look, all that can be read. */
export function sessionCandidates({ sessions }: ProjectSessions, purpose: SessionPurpose): Candidate[] {
  return sessions
    .ids()
    .toReversed()
    .flatMap((id): Candidate[] => {
      const listed = readSession(sessions, id);
      if ('problem' in listed) return [];
      const { summary } = listed;
      const isMeant = purpose === 'look' || (summary.task === null && FITS[purpose](summary));
      return isMeant ? [{ id, kind: 'session', word: statusWord(summary), title: summary.goal }] : [];
    });
}

/** What somebody may mean who named nothing: sessions, and tasks where their work is decided on. */
export async function candidates(
  opened: ProjectSessions,
  purpose: SessionPurpose | TaskPurpose,
): Promise<Candidate[]> {
  if (purpose in TASKS) return taskCandidates(opened, TASKS[purpose as TaskPurpose]);
  const found = sessionCandidates(opened, purpose as SessionPurpose);
  return purpose === 'accept' ? [...found, ...(await taskCandidates(opened, TASKS.judge))] : found;
}

type TaskFits = (task: { readonly state: string; readonly blockReason?: string }) => boolean;

const TASKS = {
  lookAtTask: () => true,
  judge: ({ blockReason }) => blockReason === 'awaiting_judge',
  editTask: ({ state }) => state === 'queued' || state === 'blocked' || state === 'failed',
  cancelTask: ({ state }) => state !== 'done' && state !== 'cancelled',
  requeueTask: ({ state }) => state === 'failed' || state === 'blocked' || state === 'cancelled',
  removeTask: ({ state }) => state !== 'running',
  restore: ({ state, blockReason }) => state !== 'running' && blockReason !== undefined,
} as const satisfies { readonly [purpose: string]: TaskFits };

export type TaskPurpose = keyof typeof TASKS;

async function taskCandidates({ project }: ProjectSessions, fits: TaskFits): Promise<Candidate[]> {
  if (!existsSync(project.database)) return [];
  const { allTasks } = await import('../backlog/tasks.ts');
  const found = (await allTasks(project)).filter(fits);
  return found
    .map(({ id, state, title }): Candidate => ({ id, kind: 'task', word: state, title }))
    .sort((a, b) => (a.id < b.id ? 1 : -1));
}
