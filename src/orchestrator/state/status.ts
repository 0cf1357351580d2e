import { ConflictError } from '../../kernel/errors.ts';

/**
 * waiting    for another session's files
 * running    owned by a process that executes blocks (or that died: see the owner)
 * parked     until a time: quota, cool-down
 * halted     for a person, with a reason
 * held       put aside by a person
 * completed, failed, aborted   ended; `failed` can be retried
 */
export type SessionStatus =
  | 'waiting'
  | 'running'
  | 'parked'
  | 'halted'
  | 'held'
  | 'completed'
  | 'failed'
  | 'aborted';

const ALLOWED: Readonly<Record<SessionStatus, readonly SessionStatus[]>> = {
  waiting: ['running', 'halted', 'held', 'aborted'],
  running: ['running', 'parked', 'halted', 'held', 'completed', 'failed', 'aborted', 'waiting'],
  parked: ['running', 'held', 'aborted'],
  halted: ['running', 'held', 'aborted', 'completed', 'halted'],
  held: ['running', 'aborted'],
  completed: [],
  failed: ['running', 'aborted'],
  aborted: [],
};

/** No way leads out of it. A failed session has not ended for good: it can be retried. */
export function isFinal(status: SessionStatus): boolean {
  return ALLOWED[status].length === 0;
}

/** It stopped at a block that a person can have run again. */
export function isRetryable(status: SessionStatus): boolean {
  return status === 'halted' || status === 'failed';
}

/** The one place where a session's status changes. */
export function changeStatus(from: SessionStatus, to: SessionStatus): SessionStatus {
  if (from === to || ALLOWED[from].includes(to)) return to;
  throw new ConflictError(`A session that is ${from} cannot become ${to}.`);
}
