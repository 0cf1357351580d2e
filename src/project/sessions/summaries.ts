import { existsSync } from 'node:fs';
import type { WorkflowSession } from '../../orchestrator/state/projection.ts';
import type { OpenProject } from '../open.ts';
import { endedByProjection, type Listed, NEVER_STARTED, readSession, statusWord } from './list.ts';
import { openQuestions } from './open-questions.ts';
import { taskOfSession } from './task-session.ts';

/** A session as a list shows it. */
export interface SessionSummary extends WorkflowSession {
  readonly ownerAlive: boolean;
  /** The status in a word that also tells a dead owner from a living one. */
  readonly word: string;
  /** The stage tasks that wait for an answer. */
  readonly asks: readonly string[];
  readonly task?: string;
}

/** A session of which only this much can be told. */
export interface UnreadableSession {
  readonly id: string;
  readonly status: typeof NEVER_STARTED | 'unreadable';
  readonly problem: string;
}

export interface SessionList {
  /** Newest first. */
  readonly sessions: readonly (SessionSummary | UnreadableSession)[];
  /** How many more there are. */
  readonly older: number;
}

/** The sessions of a project, newest first; all of them, or only the newest ones. */
export async function sessions(
  { sessions: store }: OpenProject,
  { newest = Number.POSITIVE_INFINITY }: { readonly newest?: number } = {},
): Promise<SessionList> {
  const ids = store.ids().toReversed();
  const shown = ids.slice(0, newest);
  return { sessions: shown.map((id) => summaryOf(readSession(store, id))), older: ids.length - shown.length };
}

export type LivingSession = SessionSummary & { readonly state: 'running' | 'dead' };

/** What is owned by a living process, and what a process left behind when it died. */
export async function running({ project, sessions: store }: OpenProject): Promise<LivingSession[]> {
  if (!existsSync(project.sessions)) return [];
  const candidates = store.ids().filter((id) => !endedByProjection(project.sessions, id));
  return candidates.flatMap((id): LivingSession[] => {
    const summary = summaryOf(readSession(store, id));
    if ('problem' in summary || summary.status !== 'running') return [];
    return [{ ...summary, state: summary.ownerAlive ? 'running' : 'dead' }];
  });
}

export function summaryOf(listed: Listed): SessionSummary | UnreadableSession {
  if ('problem' in listed) {
    const { id, problem, neverStarted } = listed;
    return { id, status: neverStarted ? NEVER_STARTED : 'unreadable', problem };
  }
  const { snapshot } = listed;
  const { history: _typed, ...session } = snapshot.session;
  const task = taskOfSession(snapshot.state);
  return {
    ...session,
    ownerAlive: snapshot.ownerAlive,
    word: statusWord(snapshot),
    asks: openQuestions(snapshot).map((asked) => asked.task),
    ...(task === undefined ? {} : { task }),
  };
}
