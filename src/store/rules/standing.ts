import type { Obstacle } from '../../backlog/change-set.ts';
import { readPattern } from '../../backlog/pattern.ts';
import type { Claim, Standing } from '../../backlog/scheduler.ts';
import type { TaskState } from '../../backlog/words.ts';
import { clashesWith, isSame, occupy } from './paths.ts';
import { all, type Rule, run, sql } from './say.ts';

/** How a claim stands by what is recorded; undefined when its task was removed. */
export function* standingOf({ task, runId, epoch }: Claim, at: number): Rule<Standing | undefined> {
  const [known] = yield* all<{ state: TaskState; epoch: number; agent: string | null }>(sql`
    select task.state, task.epoch, run.agent from task
      left join run on run.task = task.id and run.id = ${runId} and run.epoch = ${epoch}
    where task.id = ${task.id}`);
  if (!known) return undefined;
  const [last] = yield* all<{ at: number | null }>(sql`select max(at) as at from task_event
    where task = ${task.id} and epoch < ${epoch}`);
  return {
    state: known.state,
    ...(known.agent === null ? {} : { runBy: known.agent }),
    superseded: known.state === 'running' && known.epoch > epoch,
    touchedAgoMs: at - (last?.at ?? task.createdAt),
  };
}

/** A running task means to change more than it said; undefined when the claim no longer counts. */
export function* extendClaim(
  { task, epoch }: Claim,
  files: readonly string[],
): Rule<readonly Obstacle[] | undefined> {
  const [lease] = yield* all<{ scope: string; paths: string }>(sql`select scope, paths from lease
    where task = ${task.id} and epoch = ${epoch}`);
  if (!lease) return undefined;
  const self = { kind: 'task', id: task.id } as const;
  // Whoever waits for a task waits for the key of its change set, so one that had none gets a key of its own.
  const key = lease.scope === '' ? `task ${task.id}` : lease.scope;
  const added = yield* occupy(self, { key, patterns: files.map(readPattern) });
  if (added.length === 0) return [];
  const paths = new Set<string>([...JSON.parse(lease.paths), ...added.map(({ prefix }) => prefix)]);
  yield* run(
    sql`update lease set scope = ${key}, paths = ${JSON.stringify([...paths])} where task = ${task.id}`,
  );
  const clashes: Obstacle[] = [];
  for (const pattern of added)
    clashes.push(...(yield* clashesWith(pattern)).filter((other) => !isSame(other, self)));
  return clashes;
}

/** False when the claim is no longer the newest. */
export function* renewLease({ task, epoch, leaseMs }: Claim, at: number): Rule<boolean> {
  const renewed =
    yield* run(sql`update lease set expires_at = max(expires_at, ${at + leaseMs}), beat = beat + 1
    where task = ${task.id} and epoch = ${epoch}`);
  return renewed === 1;
}

/** Notes, once per claim, that a step was finished under it. */
export function* advanceClaim({ task, runId, epoch }: Claim): Rule<void> {
  const mine = yield* run(sql`update lease set deaths = 0 where task = ${task.id} and epoch = ${epoch}`);
  if (mine > 0) yield* run(sql`update run set advanced = 1 where task = ${task.id} and id = ${runId}`);
}

/** When time alone may make something claimable: a wait that ends, or a lease that runs out. */
export function* nextWake(at: number): Rule<number | undefined> {
  const [next] = yield* all<{ at: number | null }>(sql`select min(at) as at from (
    select min(wake_at) as at from task where wake_at is not null
    union all select min(until) from agent_block where until > ${at}
    union all select min(expires_at) from lease)`);
  return next?.at ?? undefined;
}
