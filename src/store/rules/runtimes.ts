import { MISSED_BEATS, type RuntimeEntry, type RuntimeRow } from '../../backlog/runtimes.ts';
import type { RuntimeState } from '../../backlog/words.ts';
import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import type { Role } from '../../kernel/runtime-words.ts';
import { all, type Rule, run, sql } from './say.ts';

/** How long a dead runtime is shown. */
const FORGOTTEN_MS = 24 * 3_600_000;

export interface Entering extends RuntimeEntry {
  readonly id: string;
  readonly owner: ProcessIdentity;
  readonly at: number;
}

export function* enterRuntime({ id, name, role, beatMs, owner, at }: Entering): Rule<void> {
  yield* run(sql`delete from runtime where seen_at < ${at - FORGOTTEN_MS}`);
  yield* run(sql`insert into runtime (id, name, role, host, pid, start_time, state, since, seen_at, beat_ms)
    values (${id}, ${name}, ${role}, ${owner.host}, ${owner.pid}, ${owner.startTime}, 'idle', ${at}, ${at}, ${beatMs})`);
}

export function* beatRuntime(id: string, state: RuntimeState, at: number): Rule<void> {
  yield* run(sql`update runtime set state = ${state}, seen_at = ${at} where id = ${id}`);
}

export function* leaveRuntime(id: string): Rule<void> {
  yield* run(sql`delete from runtime where id = ${id}`);
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly host: string;
  readonly pid: number;
  readonly start_time: string;
  readonly state: RuntimeState;
  readonly since: number;
  readonly seen_at: number;
  readonly beat_ms: number;
  readonly tasks: string;
}

export function* runtimesAt(at: number, isGone: (owner: ProcessIdentity) => boolean): Rule<RuntimeRow[]> {
  const rows = yield* all<Row>(sql`select runtime.*, (select json_group_array(task) from lease
      where lease.agent = runtime.name and lease.host = runtime.host and lease.pid = runtime.pid
        and lease.start_time = runtime.start_time) as tasks
    from runtime order by since, id`);
  return rows.map((row) => {
    const process = { host: row.host, pid: row.pid, startTime: row.start_time };
    return {
      id: row.id,
      name: row.name,
      role: row.role,
      process,
      state: row.state,
      tasks: JSON.parse(row.tasks),
      since: row.since,
      seenAt: row.seen_at,
      beatMs: row.beat_ms,
      dead: at - row.seen_at > MISSED_BEATS * row.beat_ms || isGone(process),
    };
  });
}
