/** What is counted over all sessions of a project. */
export interface Amounts {
  readonly usd: number;
  readonly tokens: number;
  readonly runs: number;
}

export type Cap = { readonly [Unit in keyof Amounts]?: number };

/** What all sessions together may use. */
export interface Caps {
  readonly day?: Cap;
  readonly project?: Cap;
}

export const NOTHING: Amounts = { usd: 0, tokens: 0, runs: 0 };

/** Where a project stands on a day. */
export interface SpendState {
  readonly day: string;
  readonly today: Amounts;
  readonly project: Amounts;
  /** What a person added to the cap of this day. */
  readonly raised: Amounts;
  /** What those that run now may still use. */
  readonly reserved: Amounts;
}

export interface Reached {
  readonly scope: keyof Caps;
  readonly unit: keyof Amounts;
  readonly spent: number;
  readonly most: number;
  /** How much more it would have to be. */
  readonly missing: number;
}

/**
 * What is spent. Invariants of every implementation:
 * 1. Every usage is a row; sums are queries, so that a restart finds the same.
 * 2. Whether another run fits and its reservation are one transaction: several that start at once do not all fit.
 */
export interface Spending {
  /** Lets a run begin if what it may use still fits, and reserves that; otherwise says what is reached. */
  begin(run: BeginningRun): Promise<Reached | undefined>;
  used(run: string, day: string, usage: { readonly usd: number; readonly tokens: number }): Promise<void>;
  /** It uses nothing more for now. */
  end(run: string): Promise<void>;
  state(day: string): Promise<SpendState>;
  /** A person lets this day use more. */
  raise(day: string, more: Cap): Promise<void>;
}

export interface BeginningRun {
  /** The session, or the task whose sessions count as one. */
  readonly run: string;
  readonly day: string;
  readonly caps: Caps;
  /** What it may use at most; absent: as much as such runs used before. */
  readonly budget: { readonly usd?: number; readonly tokens?: number };
}

const UNITS = ['usd', 'tokens', 'runs'] as const;

/** The first cap that is reached; with `more`, that would be passed. */
export function reachedCap(state: SpendState, caps: Caps, more: Amounts = NOTHING): Reached | undefined {
  for (const scope of ['day', 'project'] as const) {
    const spent = scope === 'day' ? state.today : state.project;
    for (const unit of UNITS) {
      const most = capOf(state, caps, scope, unit);
      if (most === undefined) continue;
      const full = spent[unit] >= most;
      if (full || (more[unit] > 0 && spent[unit] + state.reserved[unit] + more[unit] > most))
        return {
          scope,
          unit,
          spent: spent[unit],
          most,
          missing: Math.max(0, spent[unit] + state.reserved[unit] + more[unit] - most),
        };
    }
  }
  return undefined;
}

const NEAR = 0.8;

/** The first cap of which most is used. */
export function nearCap(state: SpendState, caps: Caps): Reached | undefined {
  for (const scope of ['day', 'project'] as const) {
    const spent = scope === 'day' ? state.today : state.project;
    for (const unit of UNITS) {
      const most = capOf(state, caps, scope, unit);
      if (most !== undefined && most > 0 && spent[unit] >= most * NEAR && spent[unit] < most)
        return { scope, unit, spent: spent[unit], most, missing: 0 };
    }
  }
  return undefined;
}

/** Only a day can be raised: a project's cap is changed where it stands. */
export function capOf(
  state: SpendState,
  caps: Caps,
  scope: keyof Caps,
  unit: keyof Amounts,
): number | undefined {
  const most = caps[scope]?.[unit];
  if (most === undefined) return undefined;
  return scope === 'day' ? most + state.raised[unit] : most;
}

/** `3 of 5 USD of today`. */
export function reachedWords({ scope, unit, spent, most }: Omit<Reached, 'missing'>): string {
  const shown = (value: number) => (unit === 'usd' ? `${Number(value.toFixed(2))}` : String(value));
  const name = unit === 'usd' ? 'USD' : unit;
  return `${shown(spent)} of ${shown(most)} ${name} of ${scope === 'day' ? 'today' : 'the project'} are spent`;
}

/** The day on this machine's calendar. */
export function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** When the next one begins. */
export function nextDay(at: number): number {
  const date = new Date(at);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
