import type { JsonObject } from '../../kernel/json.ts';
import type { Query } from '../../store/database.ts';
import type { RunState } from './task.ts';

/** What happened to a task: its runs, its changes of state, and what the runs produced. */
export interface History {
  readonly runs: readonly Run[];
  readonly events: readonly TaskEvent[];
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

export interface TaskEvent {
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

export async function historyOf(query: Query, id: string): Promise<History> {
  const [runs, events, artifacts] = await Promise.all([
    query.selectFrom('run').selectAll().where('task', '=', id).orderBy('id').execute(),
    query.selectFrom('task_event').selectAll().where('task', '=', id).orderBy('seq').execute(),
    query.selectFrom('artifact').selectAll().where('task', '=', id).orderBy('seq').execute(),
  ]);
  return {
    runs: runs.map((row) => ({
      id: row.id,
      attempt: row.attempt,
      sessionId: row.session,
      agentId: row.agent,
      epoch: row.epoch,
      state: row.state,
      startedAt: row.started_at,
      ...(row.finished_at === null ? {} : { finishedAt: row.finished_at }),
      ...(row.outcome === null ? {} : { outcome: JSON.parse(row.outcome) as JsonObject }),
    })),
    events: events.map((row) => ({
      at: row.at,
      state: row.state,
      ...(row.block_reason === null ? {} : { blockReason: row.block_reason }),
      reason: row.reason,
      epoch: row.epoch,
    })),
    artifacts: artifacts.map((row) => ({
      runId: row.run,
      type: row.type,
      ref: row.ref,
      ...(row.data === null ? {} : { data: JSON.parse(row.data) as JsonObject }),
      createdAt: row.created_at,
    })),
  };
}
