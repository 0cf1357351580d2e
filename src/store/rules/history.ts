import type { TaskHistory } from '../../backlog/history.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { ArtifactRow, EventRow, RunRow } from './rows.ts';
import { all, type Rule, sql } from './say.ts';

/** What happened to a task. */
export function* historyOf(id: string): Rule<TaskHistory> {
  const runs = yield* all<RunRow>(sql`select * from run where task = ${id} order by id`);
  const events = yield* all<EventRow>(sql`select * from task_event where task = ${id} order by seq`);
  const artifacts = yield* all<ArtifactRow>(sql`select * from artifact where task = ${id} order by seq`);
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
