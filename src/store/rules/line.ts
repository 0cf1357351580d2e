import { type Obstacle, obstacleWords } from '../../backlog/change-set.ts';
import type { Role } from '../../kernel/runtime-words.ts';
import { WAITED_FOR, type WaitCause } from '../../kernel/wait-cause.ts';
import type { TaskRow } from './rows.ts';
import { all, Fragment, type Rule, run, sql } from './say.ts';
import { changeState } from './states.ts';

/** What makes a queued task ready for a claim as far as its own row says; the index on it is only as long as the line. */
const READY = "state = 'queued' and open_dependencies = 0 and held_by is null and wake_at is null" as const;

const AT_ONCE = 64;
const WOKEN_AT_ONCE = 16;
const RESERVATIONS = 8;
/** How long a task is passed over before those it clashes with must let it through. */
const PATIENCE_MS = 10 * 60_000;

const ready = new Fragment(READY);

/** Others write with clocks of their own; one that is further ahead than this was set back since, and so was the wait. */
const CLOCKS_APART_MS = 60_000;

/** A task with the ids it depends on, as a JSON list. */
export type InLine = TaskRow & { readonly needs: string };

const inLine = new Fragment(
  'task.*, (select json_group_array(needs) from task_dependency d where d.task = task.id) as needs',
);

/** Whether there is something to do before the line is looked at; nearly always there is not. */
export interface Duties {
  readonly blocks: number;
  readonly due: number;
  readonly held: number;
  readonly passed: number;
}

interface LookFor {
  readonly role: Role;
  readonly at: number;
  /** How many tasks are wanted, at most. */
  readonly places: number;
}

/** The first in line of every lane, as many of each as there are places. */
export class Look {
  readonly duties: Duties;
  readonly #heads: InLine[];

  constructor(duties: Duties, heads: InLine[]) {
    this.duties = duties;
    this.#heads = heads.length > 1 ? heads.sort((a, b) => a.rank - b.rank || a.seq - b.seq) : heads;
  }

  /** The first of all that fits; it is not given again. */
  next(fits: (task: InLine) => boolean): InLine | undefined {
    const at = this.#heads.findIndex(fits);
    return at === -1 ? undefined : this.#heads.splice(at, 1)[0];
  }
}

/** Each lane is entered once through the index on lane and rank: how many wait behind its first does not matter. */
export function* lookAtLine({ role, at, places }: LookFor): Rule<Look> {
  const rows = yield* all<Duties & (InLine | { readonly seq: null })>(sql`
    select exists (select 1 from agent_block where until > ${at}) as blocks,
      exists (select 1 from task where wake_at is not null
        and (wake_at <= ${at} or updated_at > ${at + CLOCKS_APART_MS})) as due,
      exists (select 1 from task where held_by is not null) as held,
      exists (select 1 from task where role = ${role} and held_since < ${at - PATIENCE_MS}) as passed,
      ${inLine}
    from (select 1) left join lane on lane.role = ${role} left join task on task.seq in (
      select seq from task where role = ${role} and lane = lane.name and ${ready}
        order by rank, seq limit ${places}
    )`);
  const heads = rows.filter((row): row is Duties & InLine => row.seq !== null);
  const { blocks = 0, due = 0, held = 0, passed = 0 } = rows[0] ?? {};
  return new Look({ blocks, due, held, passed }, heads);
}

/** One task, if it is in line. */
export function* inLineById(id: string): Rule<InLine | undefined> {
  const rows = yield* all<InLine>(sql`select ${inLine} from task where id = ${id} and ${ready}`);
  return rows[0];
}

/** Takes a task that cannot run out of the line until nobody with that change set is left. */
export function* hold(task: InLine, obstacle: Obstacle, at: number): Rule<void> {
  const waitsFor = obstacleWords(obstacle, { allowsAll: task.allowed_paths === '[]' });
  yield* run(sql`update task set held_by = ${obstacle.key}, held_since = ${task.held_since ?? at},
    waits_for = ${waitsFor} where seq = ${task.seq}`);
}

/** Tasks of the role that were passed over for too long, the longest first: new work must not clash with them. */
export function* passedOver(role: Role, at: number): Rule<InLine[]> {
  return yield* all<InLine>(sql`select ${inLine} from task
    where role = ${role} and held_since < ${at - PATIENCE_MS} and state = 'queued' and open_dependencies = 0
    order by held_since, seq limit ${RESERVATIONS}`);
}

/** Puts those back in line whose way is free; a few at a time, for the first of them may close it again. */
export function* letThrough(closed: readonly string[]): Rule<void> {
  const free = yield* all<{ scope: string }>(sql`
    with recursive scopes (name) as (
      select min(held_by) from task where held_by is not null
      union all
      select (select min(held_by) from task where held_by > scopes.name) from scopes where name is not null
    )
    select name as scope from scopes
      where name is not null and name not in (select value from json_each(${JSON.stringify(closed)}))
        and not exists (select 1 from lease where lease.scope = scopes.name and lease.scope <> '')
        and not exists (select 1 from planned_path where kind = 'session' and scopes.name like 'session %'
          and holder = substr(scopes.name, 9))`);
  for (const { scope } of free) {
    yield* run(sql`update task set held_by = null, waits_for = null where seq in (
      select seq from task where held_by = ${scope} order by rank limit ${WOKEN_AT_ONCE})`);
  }
}

/** Puts those back in line whose time has come: a quota that is there again, a cool-down that is over. */
export function* wakeDue(at: number): Rule<void> {
  const due = yield* all<TaskRow>(
    sql`select * from task where wake_at is not null
      and (wake_at <= ${at} or updated_at > ${at + CLOCKS_APART_MS}) order by wake_at limit ${AT_ONCE}`,
  );
  for (const task of due) {
    if (task.state === 'queued') {
      yield* run(sql`update task set wake_at = null, waits_for = null, waits_until = null
        where seq = ${task.seq}`);
      continue;
    }
    const reason =
      task.block_reason === 'quota_wait'
        ? `the wait for ${WAITED_FOR[task.wait_cause ?? 'quota']} is over`
        : `tried again after attempt ${task.attempts} failed (${task.failure_class ?? 'no class'})`;
    yield* changeState(task, { to: 'queued', reason, at });
  }
}

export interface AgentBlock {
  readonly agent: string;
  readonly until: number;
  readonly reason: string;
  readonly cause: WaitCause;
}

export function* agentBlocks(at: number): Rule<AgentBlock[]> {
  return yield* all<AgentBlock>(sql`select agent, until, reason, cause from agent_block
    where until > ${at} and since <= ${at + CLOCKS_APART_MS}`);
}

/** Whether it was blocked. */
export function* unblockAgent(agent: string): Rule<boolean> {
  return (yield* run(sql`delete from agent_block where agent = ${agent}`)) > 0;
}
