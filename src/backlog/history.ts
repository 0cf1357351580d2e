import type { JsonObject } from '../kernel/json.ts';
import type { RunState } from './words.ts';

/** What happened to a task: its runs, its changes of state, and what the runs produced. */
export interface TaskHistory {
  readonly runs: readonly Run[];
  readonly events: readonly HistoryEvent[];
  readonly artifacts: readonly RecordedArtifact[];
}

/** One attempt at a task. */
export interface Run {
  readonly id: string;
  readonly attempt: number;
  readonly sessionId: string;
  /** The runtime that worked on it. */
  readonly agentId: string;
  readonly epoch: number;
  readonly state: RunState;
  readonly startedAt: number;
  readonly finishedAt?: number;
  /** Evidence and cost. */
  readonly outcome?: JsonObject;
}

/** An attempt that failed, of the same task or of one of the same kind that failed in the same way. */
export interface PastFailure {
  readonly task: string;
  readonly attempt: number;
  readonly failureClass: string;
  readonly why: string;
}

export interface HistoryEvent {
  readonly at: number;
  readonly state: string;
  readonly blockReason?: string;
  readonly reason: string;
  readonly epoch: number;
}

export interface RecordedArtifact {
  readonly runId: string;
  readonly type: string;
  readonly ref: string;
  readonly data?: JsonObject;
  readonly createdAt: number;
}
