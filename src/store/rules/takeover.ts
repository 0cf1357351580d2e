import { beatMs, type Claim, diedTooOften } from '../../backlog/scheduler.ts';
import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import type { Role } from '../../kernel/runtime-words.ts';
import { type Claimant, freeAgents } from './claim.ts';
import { agentBlocks } from './line.ts';
import { vacate } from './paths.ts';
import { endRun } from './release.ts';
import { readTask } from './row.ts';
import type { LeaseRow, TaskRow } from './rows.ts';
import { all, type Rule, run, sql } from './say.ts';
import { changeState } from './states.ts';

/** When and how leases are looked at. */
export interface Looked {
  readonly at: number;
  /** By a clock that never goes back. */
  readonly elapsed: number;
  /** Whether a process is known to have ended; no where that cannot be known. */
  readonly isGone: (owner: ProcessIdentity) => boolean;
}

/**
 * Which leases nobody renews. A lease is lost when its process on this host is gone, when its time is over by the wall
 * clock and it was not renewed while it was watched for two beats, or when it did not change for its whole length: the
 * watching goes by a clock that never goes back. So a wall clock that jumps back or stands still keeps no task for
 * ever, and one that is ahead takes none from an owner that lives.
 */
export class LeaseWatch {
  readonly #seen = new Map<string, { readonly sign: string; readonly since: number }>();

  lost(leases: readonly LeaseRow[], { at, elapsed, isGone }: Looked): LeaseRow[] {
    for (const task of this.#seen.keys())
      if (!leases.some((lease) => lease.task === task)) this.#seen.delete(task);
    return leases.filter((lease) => {
      const sign = `${lease.epoch}.${lease.beat}`;
      const seen = this.#seen.get(lease.task);
      const since = seen?.sign === sign ? seen.since : elapsed;
      this.#seen.set(lease.task, { sign, since });
      if (isGone(ownerOf(lease))) return true;
      const watched = elapsed - since;
      return watched > lease.lease_ms || (lease.expires_at <= at && watched >= 2 * beatMs(lease.lease_ms));
    });
  }
}

export function* leasesOfRole(role: Role): Rule<LeaseRow[]> {
  return yield* all<LeaseRow>(sql`select lease.* from lease join task on task.id = lease.task
    where task.role = ${role}`);
}

/**
 * Takes a lost lease over, unless its owner has shown itself since it was looked at. A task that has ended one owner
 * after another is ended itself.
 */
export function* takeOver(lost: LeaseRow, claimant: Claimant): Rule<Claim | undefined> {
  if (diedTooOften(lost.deaths)) {
    yield* endLost(lost, claimant.at);
    return undefined;
  }
  const { request, owner, at } = claimant;
  const { agentId, leaseMs } = request;
  const epoch = lost.epoch + 1;
  const taken = yield* run(sql`update lease set epoch = ${epoch}, agent = ${agentId}, host = ${owner.host},
      pid = ${owner.pid}, start_time = ${owner.startTime}, expires_at = ${at + leaseMs}, lease_ms = ${leaseMs},
      beat = 0, deaths = deaths + 1
    where task = ${lost.task} and epoch = ${lost.epoch} and beat = ${lost.beat}`);
  if (taken === 0) return undefined;
  const rows = yield* all<{ session: string; attempt: number; advanced: number }>(sql`update run
    set epoch = ${epoch}, agent = ${agentId} where task = ${lost.task} and id = ${lost.run}
    returning session, attempt, advanced`);
  const tasks = yield* all<TaskRow>(sql`select * from task where id = ${lost.task}`);
  const [[task], [lostRun]] = [tasks, rows];
  if (!task || !lostRun) throw new Error(`the lease of ${lost.task} belongs to no run`);
  yield* changeState(task, {
    to: 'running',
    reason: `taken over by ${agentId} from ${lost.agent} (process ${lost.pid} on ${lost.host})`,
    at,
    epoch,
    waitsFor: `its run by ${agentId}`,
  });
  const blocked = new Set((yield* agentBlocks(at)).map(({ agent }) => agent));
  return {
    task: yield* readTask(task.id),
    runId: lost.run,
    sessionId: lostRun.session,
    attempt: lostRun.attempt,
    epoch,
    leaseMs,
    agents: freeAgents(task, request, blocked) ?? [],
    continues: true,
    ...(lostRun.advanced === 1 ? { advanced: true } : {}),
    takenFrom: { agentId: lost.agent, owner: ownerOf(lost), epoch: lost.epoch },
  };
}

function* endLost(lost: LeaseRow, at: number): Rule<void> {
  const [task] = yield* all<TaskRow>(sql`select task.* from lease join task on task.id = lease.task
    where lease.task = ${lost.task} and lease.epoch = ${lost.epoch} and lease.beat = ${lost.beat}`);
  if (!task) return;
  const reason = `${lost.deaths + 1} runtimes died at it, one after the other, without finishing a step; the last was ${lost.agent} (process ${lost.pid} on ${lost.host})`;
  yield* vacate(task.id);
  yield* endRun(task.id, lost.run, { state: 'failed', outcome: { failure: reason }, at });
  yield* changeState(task, {
    to: 'blocked',
    block: 'needs_rework',
    reason,
    at,
    failureCode: 'runtime_died',
    failureClass: 'env',
    waitsFor: 'a person: find out what in it ends the process that runs it, then requeue it',
    session: null,
  });
}

function ownerOf({ host, pid, start_time }: LeaseRow): ProcessIdentity {
  return { host, pid, startTime: start_time };
}
