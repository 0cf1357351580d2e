import type { Claim, Scheduler } from '../../backlog/scheduler.ts';

/** How many renewals fit into a lease: two may be late before it is lost. */
const BEATS = 3;
/** A task that is cancelled or taken away is let go of within this. */
const LONGEST_BEAT_MS = 5000;

/** Renews a lease while its task runs; says so, once, when it is lost. */
export class LeaseKeeper {
  readonly #scheduler: Scheduler;
  readonly #claim: Claim;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #renewing: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(scheduler: Scheduler, claim: Claim) {
    this.#scheduler = scheduler;
    this.#claim = claim;
    this.#timer = setInterval(
      () => {
        this.#renewing = this.#renewing.then(() => this.#renew());
      },
      Math.min(LONGEST_BEAT_MS, claim.leaseMs / BEATS),
    );
    this.#timer.unref();
  }

  /** Fires when the task belongs to somebody else: nothing may be written for it any more. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#renewing;
  }

  /** A database that cannot be reached for a moment does not lose the lease; one that says no does. */
  async #renew(): Promise<void> {
    if (this.#stopped || this.#lost.signal.aborted) return;
    const kept = await this.#scheduler.renew(this.#claim).catch(() => true);
    if (!kept) this.#lost.abort(new Error(`the lease of task ${this.#claim.task.id} is lost`));
  }
}
