import { errorMessage, LoopwrightError, NotFoundError } from '../../kernel/errors.ts';
import { clip, oneLine } from '../../kernel/words.ts';
import type { Halt } from '../../orchestrator/state/record.ts';
import type { SessionManager } from '../../orchestrator/state/session-manager.ts';
import type { SessionSummary } from '../../orchestrator/state/session-reader.ts';
import { matchSession } from './find-id.ts';

/** A session as a list shows it, from one small file and not from its journal; or why it cannot be read. */
export type Listed = { readonly id: string; readonly summary: SessionSummary } | Unreadable;

interface Unreadable {
  readonly id: string;
  readonly problem: string;
  /** Its process died before the first record: there is a folder, and nothing in it that could be lost. */
  readonly neverStarted: boolean;
}

export const NEVER_STARTED = 'never started';

export function readSession(sessions: SessionManager, id: string): Listed {
  try {
    return { id, summary: sessions.summary(id) };
  } catch (error) {
    // One broken session must not hide the others.
    if (!(error instanceof LoopwrightError)) throw error;
    return { id, problem: errorMessage(error), neverStarted: error instanceof NotFoundError };
  }
}

export const NOT_STARTED = 'not started';
const NO_CHANGE = 'no change';

/** The status in a word that also tells a dead owner from a living one, and from none so far. */
export function statusWord({ status, ownerAlive, outcome, halt, notStarted = false }: Standing): string {
  if (status === 'running' && !ownerAlive) return notStarted ? NOT_STARTED : 'died';
  return outcome === 'no_change' || halt?.reason === 'no_change' ? NO_CHANGE : status;
}

interface Standing {
  readonly status: string;
  readonly ownerAlive: boolean;
  readonly notStarted?: boolean;
  readonly outcome?: string | null;
  readonly halt?: Halt | null;
}

export function findSession(
  sessions: SessionManager,
  written: string | undefined,
  { orTask = false }: { readonly orTask?: boolean } = {},
): string {
  const describe = (id: string) => {
    const listed = readSession(sessions, id);
    if ('problem' in listed && listed.neverStarted) return NEVER_STARTED;
    if ('problem' in listed) return `unreadable: ${clip(oneLine(listed.problem), 60)}`;
    return `${statusWord(listed.summary).padEnd(9)} ${clip(oneLine(listed.summary.goal), 50)}`;
  };
  return matchSession(written, sessions.ids(), describe, orTask ? 'session or task' : 'session');
}
