import { changeSetOfDraft } from '../../backlog/change-set.ts';
import { DEFAULT_PRIORITY, rankOf } from '../../backlog/rank.ts';
import type { Task, TaskDraft } from '../../backlog/task.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { Budget } from '../../manifest/definition.ts';
import type { TaskRow } from './rows.ts';
import { all, type Rule, run, sql } from './say.ts';

/** Writes a new task down. */
export function* insertTask(row: NewRow): Rule<void> {
  yield* run(sql`insert into task (id, source, title, goal, kind, role, mode, allowed_paths, scope, denied_paths, expected_files,
      commands, priority, timebox_minutes, lane, budget, context, state, attempts, quota_hits, notes, epoch,
      open_dependencies, rank, events, created_at, updated_at)
    values (${row.id}, ${row.source}, ${row.title}, ${row.goal}, ${row.kind}, ${row.role}, ${row.mode},
      ${row.allowed_paths}, ${row.scope}, ${row.denied_paths}, ${row.expected_files}, ${row.commands}, ${row.priority},
      ${row.timebox_minutes}, ${row.lane}, ${row.budget}, ${row.context}, ${row.state},
      ${row.attempts}, ${row.quota_hits}, ${row.notes}, ${row.epoch}, ${row.open_dependencies}, ${row.rank},
      ${row.events}, ${row.created_at}, ${row.updated_at})`);
}

interface Written {
  /** When it was added. */
  readonly at: number;
  /** Where the project lies in its repository. */
  readonly prefix: string;
}

type NewRow = ReturnType<typeof draftColumns> &
  Pick<
    TaskRow,
    | 'id'
    | 'state'
    | 'attempts'
    | 'quota_hits'
    | 'epoch'
    | 'open_dependencies'
    | 'events'
    | 'created_at'
    | 'updated_at'
  >;

/** The columns that a person decides, as `task edit` and `task add` write them. */
export function draftColumns(draft: TaskDraft, { at, prefix }: Written) {
  const priority = draft.priority ?? DEFAULT_PRIORITY;
  return {
    title: draft.title,
    goal: draft.goal ?? draft.title,
    kind: draft.kind ?? 'code',
    role: draft.role ?? 'worker',
    mode: draft.mode ?? null,
    allowed_paths: JSON.stringify(draft.allowedPaths ?? []),
    scope: JSON.stringify(changeSetOfDraft(draft, prefix)),
    denied_paths: JSON.stringify(draft.deniedPaths ?? []),
    expected_files: JSON.stringify(draft.expectedFiles ?? []),
    commands: JSON.stringify(draft.commands ?? []),
    priority,
    rank: rankOf(priority, at),
    timebox_minutes: draft.timeboxMinutes ?? null,
    lane: (draft.agents ?? []).join(','),
    budget: draft.budget === undefined ? null : JSON.stringify(draft.budget),
    context: draft.context === undefined ? null : JSON.stringify(draft.context),
    source: draft.source ?? null,
    notes: draft.notes ?? null,
  } satisfies Partial<TaskRow>;
}

export function newRow(id: string, draft: TaskDraft, written: Written): NewRow {
  const { at } = written;
  return {
    id,
    ...draftColumns(draft, written),
    state: 'queued',
    attempts: 0,
    quota_hits: 0,
    epoch: 0,
    open_dependencies: 0,
    events: 0,
    created_at: at,
    updated_at: at,
  };
}

export function taskOf(row: TaskRow, dependencies: readonly string[]): Task {
  return {
    id: row.id,
    title: row.title,
    goal: row.goal,
    kind: row.kind,
    role: row.role,
    ...(row.mode === null ? {} : { mode: row.mode }),
    allowedPaths: list(row.allowed_paths),
    deniedPaths: list(row.denied_paths),
    expectedFiles: list(row.expected_files),
    commands: list(row.commands),
    dependencies,
    priority: row.priority,
    ...(row.timebox_minutes === null ? {} : { timeboxMinutes: row.timebox_minutes }),
    agents: agentsOf(row.lane),
    ...(row.budget === null ? {} : { budget: JSON.parse(row.budget) as Budget }),
    ...(row.context === null ? {} : { context: JSON.parse(row.context) as JsonObject }),
    ...(row.source === null ? {} : { source: row.source }),
    origin: row.source === null ? 'person' : 'imported',
    state: row.state,
    ...(row.block_reason === null ? {} : { blockReason: row.block_reason }),
    ...(row.waits_for === null ? {} : { waitsFor: row.waits_for }),
    ...(row.waits_until === null ? {} : { waitsUntil: row.waits_until }),
    ...(row.wait_cause === null ? {} : { waitCause: row.wait_cause }),
    ...(row.failure_code === null ? {} : { failureCode: row.failure_code }),
    ...(row.failure_class === null ? {} : { failureClass: row.failure_class }),
    attempts: row.attempts,
    quotaHits: row.quota_hits,
    ...(row.notes === null ? {} : { notes: row.notes }),
    ...(row.session === null ? {} : { sessionId: row.session }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** One task with what it depends on, in one question. */
export function* readTask(id: string): Rule<Task> {
  const [row] = yield* all<TaskRow & { readonly needs: string }>(sql`select *,
      (select json_group_array(needs) from task_dependency d where d.task = task.id) as needs
    from task where id = ${id}`);
  if (!row) throw new Error(`there is no task ${id}`);
  return taskOf(row, list(row.needs));
}

export function agentsOf(lane: string): string[] {
  return lane === '' ? [] : lane.split(',');
}

function list(text: string): string[] {
  return JSON.parse(text);
}
