import type { Orphans } from '../../orchestrator/state/session-manager.ts';
import type { SessionSummary as StoredSummary } from '../../orchestrator/state/session-reader.ts';
import type { ProjectSessions } from '../open.ts';
import { type Listed, NEVER_STARTED, NOT_STARTED, readSession, statusWord } from './list.ts';

/** A session as a list shows it. */
export interface SessionSummary extends StoredSummary {
  /** The status in a word that also tells a dead owner from a living one. */
  readonly word: string;
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
  { sessions: store }: ProjectSessions,
  { newest = Number.POSITIVE_INFINITY }: { readonly newest?: number } = {},
): Promise<SessionList> {
  const ids = store.ids().toReversed();
  const shown = ids.slice(0, newest);
  return { sessions: shown.map((id) => summaryOf(readSession(store, id))), older: ids.length - shown.length };
}

export interface LivingSession extends SessionSummary {
  readonly state: 'running' | 'dead';
  /** Of a dead one: whom it had at work, and how many of its processes still ran and were ended by this look. */
  readonly left?: Orphans;
}

/** What is owned by a living process, and what a process left behind when it died. */
export async function running({ sessions: store }: ProjectSessions): Promise<LivingSession[]> {
  const living: LivingSession[] = [];
  for (const id of store.ids()) {
    const summary = summaryOf(readSession(store, id));
    if ('problem' in summary || summary.status !== 'running' || summary.word === NOT_STARTED) continue;
    const left = summary.ownerAlive ? undefined : await store.endOrphans(id);
    living.push({ ...summary, state: summary.ownerAlive ? 'running' : 'dead', ...(left ? { left } : {}) });
  }
  return living;
}

/** A session as it is now, from its small file. */
export function summaryNow(
  { sessions: store }: ProjectSessions,
  id: string,
): SessionSummary | UnreadableSession {
  return summaryOf(readSession(store, id));
}

/** A dead owner's questions can no longer be answered. */
function summaryOf(listed: Listed): SessionSummary | UnreadableSession {
  if ('problem' in listed) {
    const { id, problem, neverStarted } = listed;
    return { id, status: neverStarted ? NEVER_STARTED : 'unreadable', problem };
  }
  const { summary } = listed;
  const questions = summary.ownerAlive ? summary.questions : [];
  return { ...summary, questions, word: statusWord(summary) };
}
