import { beatMs, type Claim, type Scheduler } from '../../backlog/scheduler.ts';

/**
 * Renews a lease while its task runs; says so, once, when it is lost. Invariants:
 * 1. A store that says no has given the task to somebody else, or to nobody.
 * 2. A store that cannot be reached may have done so once the lease has run out, by a clock of our own that never goes
 *    back, counted from the moment the last renewal that succeeded was asked for. From then on nothing may be written.
 */
export class LeaseKeeper {
  readonly #scheduler: Pick<Scheduler, 'renew'>;
  readonly #claim: Claim;
  readonly #elapsed: () => number;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #renewing: Promise<void> | undefined;
  #renewedAt: number;
  #stopped = false;

  constructor(scheduler: Pick<Scheduler, 'renew'>, claim: Claim, elapsed = () => performance.now()) {
    this.#scheduler = scheduler;
    this.#claim = claim;
    this.#elapsed = elapsed;
    this.#renewedAt = elapsed();
    this.#timer = setInterval(() => this.#beat(), beatMs(claim.leaseMs));
    this.#timer.unref();
  }

  /** Fires when the task may belong to somebody else: nothing more may be written for it. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    // Of a lease that is lost no answer is wanted, and it may never come.
    if (!this.#lost.signal.aborted) await this.#renewing;
  }

  /** A renewal that is not answered is not asked for again, but time goes on for it. */
  #beat(): void {
    if (this.#stopped || this.#lost.signal.aborted) return;
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    this.#letGoInTime();
  }

  async #renew(): Promise<void> {
    const askedAt = this.#elapsed();
    try {
      if (await this.#scheduler.renew(this.#claim)) this.#renewedAt = askedAt;
      else this.#letGo('is lost');
    } catch {
      // It may be reached again before the lease has run out.
      this.#letGoInTime();
    }
  }

  #letGoInTime(): void {
    if (this.#elapsed() - this.#renewedAt >= this.#claim.leaseMs)
      this.#letGo('has run out: the store could not be reached');
  }

  #letGo(how: string): void {
    this.#lost.abort(new Error(`the lease of task ${this.#claim.task.id} ${how}`));
  }
}
