import type { WaitCause } from '../kernel/wait-cause.ts';
import type { Address, BlockId } from '../manifest/resolved.ts';
import type { ExecutionPayload } from '../manifest/segment.ts';
import type { Halt, SessionOutcome } from './state/record.ts';
import type { SessionState, TrailEntry, Used } from './state/session-state.ts';
import type { SessionStatus } from './state/status.ts';

/** What `execute`, `resume`, `retry` and `abort` resolve with. */
export interface FinalState {
  readonly sessionId: string;
  readonly status: SessionStatus;
  readonly isHalted: boolean;
  /** The block that asked for the halt, or the one to run next. */
  readonly block: BlockId | null;
  readonly halt: Halt | null;
  readonly parkedUntil: number | null;
  /** The agent that cannot work before then, when it is parked for one. */
  readonly parkedFor: string | null;
  /** Why it waits until then. */
  readonly parkedCause: WaitCause | null;
  /** What it came to, where that is not the plain end of a run. */
  readonly outcome: SessionOutcome | null;
  /** Why it is parked, held or aborted. */
  readonly reason: string | null;
  readonly payload: ExecutionPayload;
  readonly returnStack: readonly Address[];
  /** One entry per step: block, signal, entry matched, action, next block. */
  readonly trail: readonly TrailEntry[];
  readonly used: Used;
}

export function finalState(state: SessionState): FinalState {
  return {
    sessionId: state.id,
    status: state.status,
    isHalted: state.status === 'halted',
    block: state.halt?.block ?? state.at,
    halt: state.halt,
    parkedUntil: state.parkedUntil,
    parkedFor: state.parkedFor,
    parkedCause: state.parkedCause,
    outcome: state.outcome,
    reason: state.statusReason,
    payload: state.history.segments(),
    returnStack: state.stack,
    trail: state.trail.toArray(),
    used: state.used,
  };
}
