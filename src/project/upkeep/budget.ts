import { type Amounts, type Cap, type Caps, capOf, dayOf, type SpendState } from '../../backlog/spend.ts';
import { UsageError } from '../../kernel/errors.ts';
import { openStore } from '../../store/open.ts';
import type { OpenProject } from '../open.ts';
import { capsOf } from '../runs/spend-meter.ts';

/** What all sessions of a project used, and may. */
export interface SpendView {
  readonly day: string;
  readonly today: SpentOf;
  readonly project: SpentOf;
  /** What a person added to today. */
  readonly raised: Amounts;
  /** What those that run now may still use. */
  readonly reserved: Amounts;
}

interface SpentOf {
  readonly spent: Amounts;
  readonly most: Cap;
}

export interface BudgetRequest {
  /** What today may use more. */
  readonly raise?: Cap;
}

export async function budget(opened: OpenProject, { raise }: BudgetRequest = {}): Promise<SpendView> {
  const caps = capsOf(opened.config.budget);
  refuseUncapped(caps, raise);
  const store = openStore(opened.config.stateDir);
  try {
    const day = dayOf(Date.now());
    if (raise) await store.spending.raise(day, raise);
    return viewOf(await store.spending.state(day), caps);
  } finally {
    store.close();
  }
}

function refuseUncapped({ day = {} }: Caps, raise: Cap = {}): void {
  const unit = (Object.keys(raise) as (keyof Cap)[]).find((each) => day[each] === undefined);
  if (unit === undefined) return;
  throw new UsageError(`Today has no limit of ${unit}, so there is nothing to raise.`, {
    next: `Set budget.day.${unit} in .loopwright/config.json.`,
  });
}

function viewOf(state: SpendState, caps: Caps): SpendView {
  const { day, today, project, raised, reserved } = state;
  return {
    day,
    today: { spent: today, most: mostOf(state, caps, 'day') },
    project: { spent: project, most: mostOf(state, caps, 'project') },
    raised,
    reserved,
  };
}

function mostOf(state: SpendState, caps: Caps, scope: keyof Caps): Cap {
  const units = Object.keys(caps[scope] ?? {}) as (keyof Cap)[];
  return Object.fromEntries(units.map((unit) => [unit, capOf(state, caps, scope, unit)]));
}
