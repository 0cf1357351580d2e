import type { Claim } from '../../backlog/scheduler.ts';
import { all, type Rule, run, sql } from './say.ts';

/** False when the claim is no longer the newest. */
export function* renewLease({ task, epoch, leaseMs }: Claim, at: number): Rule<boolean> {
  const renewed =
    yield* run(sql`update lease set expires_at = max(expires_at, ${at + leaseMs}), beat = beat + 1
    where task = ${task.id} and epoch = ${epoch}`);
  return renewed === 1;
}

/** When time alone may make something claimable: a wait that ends, or a lease that runs out. */
export function* nextWake(at: number): Rule<number | undefined> {
  const [next] = yield* all<{ at: number | null }>(sql`select min(at) as at from (
    select min(wake_at) as at from task where wake_at is not null
    union all select min(until) from agent_block where until > ${at}
    union all select min(expires_at) from lease)`);
  return next?.at ?? undefined;
}
