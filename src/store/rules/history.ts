import type { PastFailure, TaskHistory } from '../../backlog/history.ts';
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

const FEW = 2;

/** Failed attempts that the next one of a task should know of. */
export function* earlierFailures(id: string): Rule<PastFailure[]> {
  const own = yield* all<PastFailure>(sql`select task, attempt, outcome ->> 'class' as failureClass,
      outcome ->> 'why' as why from run
    where task = ${id} and state = 'failed' and outcome ->> 'class' is not null
    order by id desc limit ${FEW}`);
  const [last] = own;
  if (!last) return [];
  const others =
    yield* all<PastFailure>(sql`select run.task, run.attempt, outcome ->> 'class' as failureClass,
      outcome ->> 'why' as why
    from run join task on task.id = run.task join task as mine on mine.id = ${id}
    where run.state = 'failed' and outcome ->> 'class' = ${last.failureClass} and task.id <> mine.id
      and task.role = mine.role and task.kind = mine.kind
    order by run.id desc limit ${FEW}`);
  return [...own, ...others];
}
