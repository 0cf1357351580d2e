import type { Budget } from '../../manifest/definition.ts';
import type { Delivery } from '../../orchestrator/state/delivery.ts';
import type { Halt, RaiseDay } from '../../orchestrator/state/record.ts';
import type { Snapshot } from '../../orchestrator/state/session-reader.ts';
import type { Used } from '../../orchestrator/state/session-state.ts';
import type { SessionStatus } from '../../orchestrator/state/status.ts';
import { hardChanges, latestSuspicious, SUSPICIOUS_CHANGE } from '../../verification/suspicious/segment.ts';
import { openQuestions } from './open-questions.ts';
import { taskOfSession } from './task-session.ts';
import type { AgentTrouble, Why } from './why.ts';

/** All that decides what a person can do with a session now. */
export interface Situation {
  readonly id: string;
  readonly status: SessionStatus;
  readonly halt: Halt | null;
  readonly used: Used;
  readonly budget: Budget;
  readonly ownerAlive: boolean;
  /** Its files are in a worktree of its own, waiting to be accepted. */
  readonly kept: boolean;
  /** What a person did with them. */
  readonly delivery?: Delivery | null;
  /** It was forked, and nobody has set it going yet. */
  readonly notStarted?: boolean;
  /** It reached its end and every file is as it was. */
  readonly unchanged?: boolean;
  /** The task of the backlog that it is a run of: the backlog continues it, not a person. */
  readonly task?: string;
  /** The last step that was run; 0 before the first. */
  readonly step: number;
  /** The stage tasks that wait for an answer. */
  readonly asking?: readonly string[];
  /** What today would have to be allowed more, where it is parked for tomorrow. */
  readonly raise?: RaiseDay | null;
  /** What has to be corrected stands in the workflow. */
  readonly ofManifest?: boolean;
  /** The agent whose trouble it halted for. */
  readonly trouble?: AgentTrouble;
  /** It made its own checks worth less: only a person's reason brings it into a branch. */
  readonly suspicious?: boolean;
}

export function situationOf(
  { state, ownerAlive }: Pick<Snapshot, 'state' | 'ownerAlive'>,
  why?: Why,
): Situation {
  const { id, status, halt, used, budget, step, files, delivery, notStarted } = state;
  const task = taskOfSession(state);
  return {
    id,
    status,
    halt,
    used,
    budget,
    step,
    ownerAlive,
    kept: files !== null,
    delivery,
    notStarted,
    unchanged: state.outcome === 'no_change',
    asking: openQuestions({ state, ownerAlive }).map((asked) => asked.task),
    ...(task === undefined ? {} : { task }),
    raise: state.raise,
    ofManifest: state.error?.in === 'manifest' || why?.in === 'manifest',
    ...(why?.agent ? { trouble: why.agent } : {}),
    suspicious: isSuspicious(state),
  };
}

function isSuspicious({ history }: Snapshot['state']): boolean {
  const found = latestSuspicious(history.ever(SUSPICIOUS_CHANGE));
  return found !== undefined && hardChanges(found).length > 0;
}
