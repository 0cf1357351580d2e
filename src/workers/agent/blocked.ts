import type { AgentError, AgentErrorKind } from '../../agents/event.ts';
import { grownDelayMs } from '../../backlog/retries.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { BlockedNote, ProgressNote } from '../../manifest/progress-note.ts';

/** A service that is down is waited for this often; a spent quota always. */
const MOST_OUTAGES = 6;

export interface Blocked {
  readonly agent: string;
  readonly until: number;
  /** By the same clock. */
  readonly at: number;
  readonly reason: string;
  readonly kind: AgentErrorKind;
}

/** The notes about a task since it ended last: what was waited for before a person wants it again does not count. */
export function sinceDone(notes: readonly ProgressNote[], task: string): readonly ProgressNote[] {
  const isItsEnd = (note: ProgressNote) =>
    note.type === 'task' && note.task === task && note.status === 'DONE';
  const own = notes.slice(notes.findLastIndex(isItsEnd) + 1);
  return own.filter((note) => !('task' in note) || note.task === undefined || note.task === task);
}

export function blockedNote(
  { agent, until, at, reason, kind }: Blocked,
  { task, conversation }: { readonly task?: string; readonly conversation: JsonObject | undefined },
): BlockedNote {
  return {
    type: 'blocked',
    agent,
    until,
    at,
    reason,
    cause: kind,
    ...(task === undefined ? {} : { task }),
    ...(conversation ? { conversation } : {}),
  };
}

/** The conversations a task was in, oldest first. */
export function conversationsOf(notes: readonly ProgressNote[], task: string): readonly JsonObject[] {
  return notes.flatMap((note) =>
    'conversation' in note && note.conversation && note.task === task ? [note.conversation] : [],
  );
}

/**
 * When an agent that could not work may be tried again, or undefined when waiting does not help. What the
 * provider says counts; otherwise the pauses grow from 30 seconds to 30 minutes.
 */
export function blockedBy(
  error: AgentError,
  agent: string,
  earlier: readonly ProgressNote[],
  now: number,
): Blocked | undefined {
  const before = earlier.filter((note) => note.type === 'blocked' && note.agent === agent);
  const outage = error.kind === 'overloaded' || error.kind === 'network';
  if (error.kind !== 'quota' && !outage) return undefined;
  if (
    outage &&
    before.filter((note) => note.type === 'blocked' && note.cause === error.kind).length >= MOST_OUTAGES
  )
    return undefined;
  const until =
    error.resetAt !== undefined && error.resetAt > now ? error.resetAt : now + grownDelayMs(before.length);
  return { agent, until, at: now, reason: error.message, kind: error.kind };
}

/** Who cannot work, and why that is waited for. */
export function parkOf({ agent, kind }: { readonly agent: string; readonly kind: string }) {
  return { agent, cause: kind === 'quota' ? 'quota' : 'outage' } as const;
}

type StillBlocked = Omit<Blocked, 'at' | 'kind'> & { readonly kind: string };

/** Agents that must still wait, by name. A clock that stands before the note was set back and says nothing about it. */
export function stillBlocked(earlier: readonly ProgressNote[], now: number): Map<string, StillBlocked> {
  const blocked = new Map<string, StillBlocked>();
  for (const note of earlier) {
    if (note.type !== 'blocked') continue;
    const { agent, until, at = 0, reason, cause } = note;
    if (until > now && at <= now) blocked.set(agent, { agent, until, reason, kind: cause });
    else blocked.delete(agent);
  }
  return blocked;
}
