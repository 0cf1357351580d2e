import {
  type Caps,
  dayOf,
  nearCap,
  nextDay,
  type Reached,
  reachedCap,
  reachedWords,
  type SpendState,
} from '../../backlog/spend.ts';
import type { Config } from '../../config/load-config.ts';
import { action } from '../../kernel/action.ts';
import { ConflictError } from '../../kernel/errors.ts';
import type { Budget } from '../../manifest/definition.ts';
import type { Usage } from '../../manifest/worker.ts';
import type { CapReached, SpendPort } from '../../orchestrator/engine/spend-port.ts';
import { openStore, type Store } from '../../store/open.ts';

/**
 * Counts what a process uses, beside all others of the project. Without a cap it only writes down: a row that cannot
 * be written then harms nothing that runs.
 */
export class SpendMeter implements SpendPort {
  readonly #store: Store;
  readonly #caps: Caps;
  readonly #writing = new Set<Promise<unknown>>();
  #known: SpendState | undefined;
  #told = new Set<string>();

  constructor(store: Store, caps: Caps) {
    this.#store = store;
    this.#caps = caps;
  }

  static open({ stateDir, budget }: Pick<Config, 'stateDir' | 'budget'>): SpendMeter {
    return new SpendMeter(openStore(stateDir), capsOf(budget));
  }

  /** Lets a run begin, or says which cap stands in its way. */
  async begin(run: string, { usd, tokens }: Budget): Promise<Reached | undefined> {
    const budget = { ...(usd === undefined ? {} : { usd }), ...(tokens === undefined ? {} : { tokens }) };
    return this.#store.spending.begin({ run, day: today(), caps: this.#caps, budget });
  }

  /** The cap that leaves nothing for anybody, if one does. */
  async full(): Promise<Reached | undefined> {
    if (!this.#isCapped) return undefined;
    this.#known = await this.#store.spending.state(today());
    return reachedCap(this.#known, this.#caps);
  }

  async used(
    run: string,
    { usd = 0, tokens = 0 }: Usage,
    near: (message: string) => void,
  ): Promise<CapReached | undefined> {
    const day = today();
    const write = this.#store.spending.used(run, day, { usd, tokens });
    if (!this.#isCapped) {
      void this.#track(write.catch(() => undefined));
      return undefined;
    }
    const known = this.#track(write.then(() => this.#store.spending.state(day)));
    this.#known = await known;
    this.#tellNear(this.#known, near);
    return this.reached();
  }

  reached(): CapReached | undefined {
    const known = this.#known;
    if (!known || known.day !== today()) return undefined;
    const reached = reachedCap(known, this.#caps);
    return reached && capReached(reached);
  }

  /** What it reserved is free again. */
  async release(run: string): Promise<void> {
    await Promise.allSettled(this.#writing);
    await this.#store.spending.end(run);
  }

  /** The process uses nothing more. */
  async end(run: string): Promise<void> {
    try {
      await this.release(run);
    } finally {
      this.#store.close();
    }
  }

  /** Nothing has begun after all. */
  async abandon(run: string, error: unknown): Promise<never> {
    await this.end(run);
    throw error;
  }

  get #isCapped(): boolean {
    return Object.keys(this.#caps).length > 0;
  }

  #tellNear(state: SpendState, near: (message: string) => void): void {
    const close = nearCap(state, this.#caps);
    const key = close && `${state.day} ${close.scope} ${close.unit}`;
    if (!close || key === undefined || this.#told.has(key)) return;
    this.#told.add(key);
    near(reachedWords(close));
  }

  #track<T>(writing: Promise<T>): Promise<T> {
    const settled = writing.catch(() => undefined).finally(() => this.#writing.delete(settled));
    this.#writing.add(settled);
    return writing;
  }
}

/** Counts for one session, which fits into what all may use. */
export async function openedMeter(
  config: Pick<Config, 'stateDir' | 'budget'>,
  run: string,
  budget: Budget,
): Promise<SpendMeter> {
  const meter = SpendMeter.open(config);
  const reached = await meter.begin(run, budget);
  return reached ? meter.abandon(run, refusedByCap(reached)) : meter;
}

export function capsOf({ day, project }: Config['budget']): Caps {
  return { ...(day ? { day } : {}), ...(project ? { project } : {}) };
}

/** What a task waits for when what it may use does not fit. */
export function waitWords(reached: Reached): string {
  return `the budget of ${reached.scope === 'day' ? 'today' : 'the project'}: ${reachedWords(reached)}`;
}

/** Nothing new is started; of a day the next one has more, of a project only what a person says. */
function refusedByCap(reached: Reached): ConflictError {
  const { scope, unit } = reached;
  const { more } = raiseFor(reached);
  const label = 'Wait for tomorrow, give it a smaller budget, or let today use more';
  return new ConflictError(
    `${reachedWords(reached)}, and what this run may use does not fit: it was not started.`,
    {
      next:
        scope === 'day'
          ? action('budget.raise', label, { [unit]: more })
          : `Raise budget.project.${unit} in .loopwright/config.json, or give it a smaller budget.`,
    },
  );
}

function capReached(reached: Reached): CapReached {
  const message = reachedWords(reached);
  if (reached.scope !== 'day') return { message };
  return { message, until: nextDay(Date.now()), raise: raiseFor(reached) };
}

/** As much as the day has, or what is missing where that is more. */
function raiseFor({ unit, most, missing }: Reached): { readonly unit: string; readonly more: number } {
  return { unit, more: Math.max(most, Math.ceil(missing), 1) };
}

function today(): string {
  return dayOf(Date.now());
}
