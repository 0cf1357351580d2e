import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage, LoopwrightError, NotFoundError } from '../../kernel/errors.ts';
import { clip, oneLine } from '../../kernel/words.ts';
import type { SessionManager, Snapshot } from '../../orchestrator/state/session-manager.ts';
import { hasEnded } from '../../orchestrator/state/status.ts';
import { matchSession } from './find-id.ts';

/** A session as a list shows it: readable, or why not. */
export type Listed = { readonly id: string; readonly snapshot: Snapshot } | Unreadable;

interface Unreadable {
  readonly id: string;
  readonly problem: string;
  /** Its process died before the first record: there is a folder, and nothing in it that could be lost. */
  readonly neverStarted: boolean;
}

export const NEVER_STARTED = 'never started';

export function readSession(sessions: SessionManager, id: string): Listed {
  try {
    return { id, snapshot: sessions.load(id) };
  } catch (error) {
    // One broken session must not hide the others.
    if (!(error instanceof LoopwrightError)) throw error;
    return {
      id,
      problem: errorMessage(error),
      neverStarted: error instanceof NotFoundError,
    };
  }
}

/** The status in a word that also tells a dead owner from a living one. */
export function statusWord({ state, ownerAlive }: Snapshot): string {
  return state.status === 'running' && !ownerAlive ? 'died' : state.status;
}

export function findSession(sessions: SessionManager, written: string | undefined): string {
  return matchSession(written, sessions.ids(), (id) => {
    const listed = readSession(sessions, id);
    if ('problem' in listed && listed.neverStarted) return NEVER_STARTED;
    if ('problem' in listed) return `unreadable: ${clip(oneLine(listed.problem), 60)}`;
    return `${statusWord(listed.snapshot).padEnd(9)} ${clip(oneLine(listed.snapshot.state.goal), 50)}`;
  });
}

/**
 * Whether the small projection says that a session has ended, which is final. It lets a look for living
 * sessions pass over the journals of all the others; anything unclear counts as not ended.
 */
export function endedByProjection(root: string, id: string): boolean {
  try {
    const { status } = JSON.parse(readFileSync(join(root, id, 'session.json'), 'utf8'));
    return hasEnded(status);
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
