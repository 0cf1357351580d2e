import { fromTop, type Obstacle, readArea } from '../../backlog/change-set.ts';
import type { Release } from '../../backlog/release.ts';
import type { Claim, ClaimRequest, Scheduler, Standing } from '../../backlog/scheduler.ts';
import { refuseRunning, refuseUndelivered, refuseUnjudged } from '../../backlog/states.ts';
import type { Role } from '../../kernel/runtime-words.ts';
import { unknownTask } from '../rules/add.ts';
import type { Claimant } from '../rules/claim.ts';
import { vacate } from '../rules/paths.ts';
import { endRun, releaseClaim } from '../rules/release.ts';
import type { LeaseRow, TaskRow } from '../rules/rows.ts';
import { all, type Rule, sql } from '../rules/say.ts';
import { advanceClaim, extendClaim, nextWake, renewLease, standingOf } from '../rules/standing.ts';
import { changeState } from '../rules/states.ts';
import { LeaseWatch, leasesOfRole, takeOver } from '../rules/takeover.ts';
import { WriteWatch } from './changes.ts';
import type { StoreContext } from './context.ts';
import type { Database } from './database.ts';
import { SharedClaims } from './shared-claims.ts';

const LOOK_AGAIN_MS = 1000;

/** The scheduler on the embedded database; each operation is one transaction that holds the write lock. */
export class SqliteScheduler implements Scheduler {
  readonly #database: Database;
  readonly #context: StoreContext;
  readonly #watch = new LeaseWatch();
  readonly #writes: WriteWatch;
  readonly #next: SharedClaims;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Whose leases are taken over here: of the role that was asked for last. */
  #role: Role = 'worker';

  constructor(database: Database, context: StoreContext) {
    this.#database = database;
    this.#context = context;
    this.#writes = new WriteWatch(database, context.clock);
    this.#next = new SharedClaims(database, (request) => this.#claimant(request));
  }

  async claim(request: ClaimRequest): Promise<Claim | undefined> {
    this.#writes.look();
    return (await this.#claimLost(request)) ?? this.#next.claim(request);
  }

  renew(claim: Claim): Promise<boolean> {
    return this.#database.transact(() => renewLease(claim, this.#context.clock.now()));
  }

  advance(claim: Claim): Promise<void> {
    return this.#database.transact(() => advanceClaim(claim));
  }

  stillMine(claim: Claim): Promise<Standing | undefined> {
    return this.#database.read(standingOf(claim, this.#context.clock.now()));
  }

  extend(claim: Claim, files: readonly string[]): Promise<readonly Obstacle[] | undefined> {
    return this.#database.transact(() =>
      extendClaim(
        claim,
        files.map((file) => fromTop(this.#context.prefix, file)),
      ),
    );
  }

  release(claim: Claim, release: Release): Promise<boolean> {
    const { clock, coolDownMs, reworkMs, mostRetries } = this.#context;
    const rules = { coolDownMs, reworkMs, mostRetries };
    return this.#database.transact(() => releaseClaim(claim, release, { at: clock.now(), ...rules }));
  }

  requeue(taskId: string, { reason, notes }: { reason: string; notes?: string }): Promise<void> {
    return this.#change(taskId, function* (task, at) {
      refuseRunning(task);
      // Notes are read when a session begins: one that waits for quota is not continued then.
      const news = notes === undefined ? {} : { notes, session: null };
      yield* changeState(task, { to: 'queued', reason, at, quotaHits: 0, failures: {}, ...news });
    });
  }

  cancel(taskId: string, reason: string): Promise<void> {
    return this.#change(taskId, function* (task, at) {
      yield* changeState(task, { to: 'cancelled', reason, at, session: null });
      const run = yield* vacate(task.id);
      if (run !== undefined) yield* endRun(task.id, run, { state: 'cancelled', at });
    });
  }

  approve(taskId: string, reason: string): Promise<void> {
    return this.#change(taskId, function* (task, at) {
      refuseUnjudged(task);
      yield* changeState(task, { to: 'done', reason, at });
    });
  }

  reopen(taskId: string, reason: string): Promise<void> {
    return this.#change(taskId, function* (task, at) {
      refuseUndelivered(task);
      const waitsFor = 'your verdict: accept it once more, or ask for a rework with notes';
      yield* changeState(task, { to: 'blocked', block: 'awaiting_judge', reason, at, waitsFor });
    });
  }

  nextWake(): Promise<number | undefined> {
    return this.#database.read(nextWake(this.#context.clock.now()));
  }

  /** An owner that dies writes nothing, so the leases are looked at now and then as well. */
  async changed(until: number | undefined, stop: AbortSignal): Promise<void> {
    for (;;) {
      const look = AbortSignal.timeout(LOOK_AGAIN_MS);
      await this.#writes.changed(until, AbortSignal.any([stop, look]));
      if (stop.aborted || !look.aborted || (await this.#lost()).length > 0) return;
    }
  }

  async #claimLost(request: ClaimRequest): Promise<Claim | undefined> {
    const { clock, lookEveryMs } = this.#context;
    const elapsed = clock.elapsed();
    this.#role = request.role;
    if (elapsed - this.#lookedAt < lookEveryMs) return undefined;
    for (const lease of await this.#lost()) {
      if (request.only !== undefined && request.only !== lease.task) continue;
      const claim = await this.#database.transact(() => takeOver(lease, this.#claimant(request)));
      if (claim) return claim;
    }
    this.#lookedAt = elapsed;
    return undefined;
  }

  async #lost(): Promise<LeaseRow[]> {
    const { clock, isGone } = this.#context;
    const leases = await this.#database.read(leasesOfRole(this.#role));
    return this.#watch.lost(leases, { at: clock.now(), elapsed: clock.elapsed(), isGone });
  }

  #claimant(request: ClaimRequest): Claimant {
    const { owner, clock, ids: newId, prefix } = this.#context;
    const areas = (request.areas ?? []).map((area) => readArea(area, prefix));
    return { request, owner: owner(), at: clock.now(), newId, areas };
  }

  #change(id: string, rule: (task: TaskRow, at: number) => Rule<void>): Promise<void> {
    const { clock } = this.#context;
    return this.#database.transact(function* () {
      const [task] = yield* all<TaskRow>(sql`select * from task where id = ${id}`);
      if (!task) throw unknownTask(id);
      yield* rule(task, clock.now());
    });
  }
}
