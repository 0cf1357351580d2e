import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Backlog } from '../backlog/backlog.ts';
import type { Findings } from '../backlog/findings.ts';
import type { Plans } from '../backlog/plans.ts';
import type { Runtimes } from '../backlog/runtimes.ts';
import type { Scheduler } from '../backlog/scheduler.ts';
import type { Spending } from '../backlog/spend.ts';
import { systemClock } from '../kernel/clock.ts';
import { sortableIds } from '../kernel/ids.ts';
import { ownIdentity, processState } from '../process/identity.ts';
import { type AgentBlock, agentBlocks, unblockAgent } from './rules/line.ts';
import { type Marks, marksOf } from './rules/marks.ts';
import { SqliteBacklog } from './sqlite/backlog.ts';
import type { StoreContext } from './sqlite/context.ts';
import { Database } from './sqlite/database.ts';
import { SqliteFindings } from './sqlite/findings.ts';
import { SqlitePlans } from './sqlite/plans.ts';
import { SqliteRuntimes } from './sqlite/runtimes.ts';
import { SqliteScheduler } from './sqlite/scheduler.ts';
import { SqliteSpending } from './sqlite/spend.ts';

/** Everything that is shared between processes, behind its ports. */
export interface Store {
  readonly backlog: Backlog;
  readonly scheduler: Scheduler;
  readonly plans: Plans;
  readonly findings: Findings;
  readonly runtimes: Runtimes;
  readonly spending: Spending;
  /** Changes whenever anybody else, or another connection of ours, has written. */
  version(): number;
  /** What tells which of the small tables differ from before. */
  marks(): Promise<Marks>;
  /** The agents that are out of quota, with until when. */
  blockedAgents(): Promise<readonly AgentBlock[]>;
  /** Whether it was blocked. */
  unblockAgent(agent: string): Promise<boolean>;
  close(): void;
}

export type StoreOptions = Partial<StoreContext>;

/** Opens the store of a project by its state folder; the one place that decides which store it is. */
export function openStore(folder: string, options: StoreOptions = {}): Store {
  const database = Database.open(databaseFile(folder));
  const context: StoreContext = {
    clock: systemClock,
    ids: sortableIds(),
    owner: ownIdentity,
    isGone: (owner) => processState(owner) === 'gone',
    prefix: '',
    coolDownMs: 0,
    reworkMs: 0,
    mostRetries: Number.POSITIVE_INFINITY,
    lookEveryMs: 1000,
    ...options,
  };
  return {
    backlog: new SqliteBacklog(database, context),
    scheduler: new SqliteScheduler(database, context),
    plans: new SqlitePlans(database, context),
    findings: new SqliteFindings(database, context),
    runtimes: new SqliteRuntimes(database, context),
    spending: new SqliteSpending(database, context),
    version: () => database.version(),
    marks: () => database.read(marksOf()),
    blockedAgents: () => database.read(agentBlocks(context.clock.now())),
    unblockAgent: (agent) => database.transact(() => unblockAgent(agent)),
    close: () => database.close(),
  };
}

/** Whether anything was stored yet; opening a store makes it. */
export function hasStore(folder: string): boolean {
  return existsSync(databaseFile(folder));
}

export function databaseFile(folder: string): string {
  return join(folder, 'loopwright.db');
}
