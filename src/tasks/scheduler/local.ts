import { type Clock, systemClock } from '../../kernel/clock.ts';
import { type MakeId, sortableIds } from '../../kernel/ids.ts';
import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import { ownIdentity } from '../../process/identity.ts';
import type { Database } from '../../store/database.ts';
import { type Rows, sql } from '../../store/rows.ts';
import { unknownTask } from '../backlog/add.ts';
import { changeState, TaskStateError } from '../backlog/states.ts';
import type { TaskRow } from '../backlog/task.ts';
import type { Claimant } from './claim.ts';
import { blockAgent, endRun, ownedTask, recordArtifacts, releaseClaim } from './release.ts';
import type { Artifact, Claim, ClaimRequest, Release, Scheduler } from './scheduler.ts';
import { vacate } from './scope.ts';
import { SharedClaims } from './shared-claims.ts';
import { LeaseWatch, leasesOfRole, takeOver } from './takeover.ts';

export interface LocalSchedulerOptions {
  readonly clock?: Clock;
  readonly ids?: MakeId;
  /** The process that owns what is claimed here. */
  readonly owner?: ProcessIdentity;
  /** How long a failed task rests. */
  readonly coolDownMs: number;
  /** How often leases of others are looked at, at most; a dead owner writes nothing. */
  readonly lookEveryMs?: number;
}

/** The scheduler on the embedded database; each operation is one transaction that holds the write lock. */
export class LocalScheduler implements Scheduler {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #options: LocalSchedulerOptions;
  readonly #ids: MakeId;
  readonly #watch = new LeaseWatch();
  readonly #next: SharedClaims;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(database: Database, options: LocalSchedulerOptions) {
    this.#database = database;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#ids = options.ids ?? sortableIds();
    this.#next = new SharedClaims(database, (request) => this.#claimant(request));
  }

  async claim(request: ClaimRequest): Promise<Claim | undefined> {
    return (await this.#claimLost(request)) ?? this.#next.claim(request);
  }

  renew({ task, epoch, leaseMs }: Claim): Promise<boolean> {
    return this.#database.transact((rows) => {
      const until = this.#clock.now() + leaseMs;
      const renewed = rows.run(sql`update lease set expires_at = max(expires_at, ${until}), beat = beat + 1
        where task = ${task.id} and epoch = ${epoch} and expires_at > 0`);
      return renewed === 1;
    });
  }

  record(claim: Claim, artifacts: readonly Artifact[]): Promise<boolean> {
    return this.#database.transact((rows) => {
      if (!ownedTask(rows, claim)) return false;
      recordArtifacts(rows, claim, artifacts, this.#clock.now());
      return true;
    });
  }

  release(claim: Claim, release: Release): Promise<boolean> {
    const rules = { at: this.#clock.now(), coolDownMs: this.#options.coolDownMs };
    return this.#database.transact((rows) => releaseClaim(rows, claim, release, rules));
  }

  expire(taskId: string): Promise<boolean> {
    return this.#database.transact(
      (rows) => rows.run(sql`update lease set expires_at = 0 where task = ${taskId}`) === 1,
    );
  }

  requeue(taskId: string, { reason, notes }: { reason: string; notes?: string }): Promise<void> {
    return this.#change(taskId, (rows, task) => {
      if (task.state === 'running') {
        throw new TaskStateError(`Task ${task.id} is running: it cannot be put back in line.`, {
          next: 'Wait for it, or cancel it first.',
        });
      }
      const at = this.#clock.now();
      // Notes are read when a session begins: one that waits for quota is not gone on with.
      const news = notes === undefined ? {} : { notes, session: null };
      changeState(rows, task, { to: 'queued', reason, at, ...news });
    });
  }

  cancel(taskId: string, reason: string): Promise<void> {
    return this.#change(taskId, (rows, task) => {
      const at = this.#clock.now();
      changeState(rows, task, { to: 'cancelled', reason, at, session: null });
      const run = vacate(rows, task.id);
      if (run !== undefined) endRun(rows, task.id, run, { state: 'cancelled', at });
    });
  }

  approve(taskId: string, reason: string): Promise<void> {
    return this.#change(taskId, (rows, task) => {
      if (task.block_reason !== 'awaiting_judge') {
        throw new TaskStateError(`Task ${task.id} does not wait for a verdict: it is ${task.state}.`);
      }
      changeState(rows, task, { to: 'done', reason, at: this.#clock.now() });
    });
  }

  blockAgent(agent: string, block: { until: number; reason: string }): Promise<void> {
    const at = this.#clock.now();
    return this.#database.transact((rows) => blockAgent(rows, agent, { ...block, at }));
  }

  async unblockAgent(agent: string): Promise<void> {
    await this.#database.transact((rows) => rows.run(sql`delete from agent_block where agent = ${agent}`));
  }

  async nextWake(): Promise<number | undefined> {
    const [next] = this.#database.rows.all<{ at: number | null }>(sql`select min(at) as at from (
      select min(wake_at) as at from task where wake_at is not null
      union all select min(until) from agent_block where until > ${this.#clock.now()}
      union all select min(expires_at) from lease)`);
    return next?.at ?? undefined;
  }

  async #claimLost(request: ClaimRequest): Promise<Claim | undefined> {
    const elapsed = this.#clock.elapsed();
    if (elapsed - this.#lookedAt < (this.#options.lookEveryMs ?? 1000)) return undefined;
    const leases = leasesOfRole(this.#database.rows, request.role);
    for (const lease of this.#watch.lost(leases, { at: this.#clock.now(), elapsed })) {
      if (request.only !== undefined && request.only !== lease.task) continue;
      const claim = await this.#database.transact((rows) => takeOver(rows, lease, this.#claimant(request)));
      if (claim) return claim;
    }
    this.#lookedAt = elapsed;
    return undefined;
  }

  #claimant(request: ClaimRequest): Claimant {
    const owner = this.#options.owner ?? ownIdentity();
    return { request, owner, at: this.#clock.now(), newId: this.#ids };
  }

  #change(id: string, action: (rows: Rows, task: TaskRow) => void): Promise<void> {
    return this.#database.transact((rows) => {
      const [task] = rows.all<TaskRow>(sql`select * from task where id = ${id}`);
      if (!task) throw unknownTask(id);
      action(rows, task);
    });
  }
}
