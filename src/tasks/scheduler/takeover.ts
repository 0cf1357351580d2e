import type { Selectable } from 'kysely';
import type { Role } from '../../config/runtime/settings.ts';
import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import { processState } from '../../process/identity.ts';
import type { LeaseTable } from '../../store/backlog-tables.ts';
import { type Rows, sql } from '../../store/rows.ts';
import { readTask } from '../backlog/row.ts';
import { changeState } from '../backlog/states.ts';
import type { TaskRow } from '../backlog/task.ts';
import { type Claimant, freeAgents } from './claim.ts';
import { agentBlocks } from './line.ts';
import type { Claim } from './scheduler.ts';

export type Lease = Selectable<LeaseTable>;

/**
 * Which leases nobody renews. A lease is lost when its time is over by the wall clock, when its process on this
 * host is gone, or when it was watched for its whole length by a clock that never goes back and did not change:
 * so neither a wall clock that jumps back nor one that stands still keeps a task for ever.
 */
export class LeaseWatch {
  readonly #seen = new Map<string, { readonly sign: string; readonly since: number }>();

  lost(
    leases: readonly Lease[],
    { at, elapsed }: { readonly at: number; readonly elapsed: number },
  ): Lease[] {
    for (const task of this.#seen.keys())
      if (!leases.some((lease) => lease.task === task)) this.#seen.delete(task);
    return leases.filter((lease) => {
      const sign = `${lease.epoch}.${lease.beat}`;
      const seen = this.#seen.get(lease.task);
      const since = seen?.sign === sign ? seen.since : elapsed;
      this.#seen.set(lease.task, { sign, since });
      return (
        lease.expires_at <= at || elapsed - since > lease.lease_ms || processState(ownerOf(lease)) === 'gone'
      );
    });
  }
}

export function leasesOfRole(query: Pick<Rows, 'all'>, role: Role): Lease[] {
  const rows = query.all<Lease>(sql`select lease.* from lease join task on task.id = lease.task
    where task.role = ${role}`);
  return rows;
}

/** Takes a lost lease over, unless its owner has shown itself since it was looked at. */
export function takeOver(query: Rows, lost: Lease, claimant: Claimant): Claim | undefined {
  const { request, owner, at } = claimant;
  const { agentId, leaseMs } = request;
  const epoch = lost.epoch + 1;
  const taken = query.run(sql`update lease set epoch = ${epoch}, agent = ${agentId}, host = ${owner.host},
      pid = ${owner.pid}, start_time = ${owner.startTime}, expires_at = ${at + leaseMs}, lease_ms = ${leaseMs},
      beat = 0
    where task = ${lost.task} and epoch = ${lost.epoch} and beat = ${lost.beat}`);
  if (taken === 0) return undefined;
  const rows = query.all<{ session: string; attempt: number }>(sql`update run
    set epoch = ${epoch}, agent = ${agentId} where task = ${lost.task} and id = ${lost.run}
    returning session, attempt`);
  const tasks = query.all<TaskRow>(sql`select * from task where id = ${lost.task}`);
  const [[task], [run]] = [tasks, rows];
  if (!task || !run) throw new Error(`the lease of ${lost.task} belongs to no run`);
  changeState(query, task, {
    to: 'running',
    reason: `taken over by ${agentId} from ${lost.agent} (process ${lost.pid} on ${lost.host})`,
    at,
    epoch,
    waitsFor: `its run by ${agentId}`,
  });
  const blocked = new Set(agentBlocks(query, at).map(({ agent }) => agent));
  return {
    task: readTask(query, task.id),
    runId: lost.run,
    sessionId: run.session,
    attempt: run.attempt,
    epoch,
    leaseMs,
    agents: freeAgents(task, request, blocked) ?? [],
    continues: true,
    takenFrom: { agentId: lost.agent, owner: ownerOf(lost), epoch: lost.epoch },
  };
}

function ownerOf({ host, pid, start_time }: Lease): ProcessIdentity {
  return { host, pid, startTime: start_time };
}
