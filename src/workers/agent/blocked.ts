import type { AgentError, AgentErrorKind } from '../../agents/event.ts';
import type { JsonObject } from '../../kernel/json.ts';

const FIRST_DELAY_MS = 30_000;
const LONGEST_DELAY_MS = 30 * 60_000;
/** A service that is down is waited for this often; a spent quota always. */
const MOST_OUTAGES = 6;

export interface Blocked {
  readonly agent: string;
  readonly until: number;
  readonly reason: string;
  readonly kind: AgentErrorKind;
}

/** The notes about a task since it ended last: what was waited for before a person wants it again does not count. */
export function sinceDone(notes: readonly JsonObject[], task: string): readonly JsonObject[] {
  const isItsEnd = (note: JsonObject) => note.task === task && note.status === 'DONE';
  const own = notes.slice(notes.findLastIndex(isItsEnd) + 1);
  return own.filter((note) => note.task === undefined || note.task === task);
}

/**
 * When an agent that could not work may be tried again, or undefined when waiting does not help. What the
 * provider says counts; otherwise the pauses grow from 30 seconds to 30 minutes.
 */
export function blockedBy(
  error: AgentError,
  agent: string,
  earlier: readonly JsonObject[],
  now: number,
): Blocked | undefined {
  const before = earlier.filter((note) => note.blocked === agent);
  const outage = error.kind === 'overloaded' || error.kind === 'network';
  if (error.kind !== 'quota' && !outage) return undefined;
  if (outage && before.filter((note) => note.kind === error.kind).length >= MOST_OUTAGES) return undefined;
  const backOff = Math.min(FIRST_DELAY_MS * 2 ** before.length, LONGEST_DELAY_MS);
  const until = error.resetAt !== undefined && error.resetAt > now ? error.resetAt : now + backOff;
  return { agent, until, reason: error.message, kind: error.kind };
}

/** Until when which agents of the list wait, and why, by what was noted before. */
export function stillBlocked(
  earlier: readonly JsonObject[],
  now: number,
): Map<string, Omit<Blocked, 'kind'>> {
  const blocked = new Map<string, Omit<Blocked, 'kind'>>();
  for (const { blocked: agent, until, reason } of earlier) {
    if (typeof agent !== 'string' || typeof until !== 'number') continue;
    if (until > now) blocked.set(agent, { agent, until, reason: typeof reason === 'string' ? reason : '' });
    else blocked.delete(agent);
  }
  return blocked;
}
