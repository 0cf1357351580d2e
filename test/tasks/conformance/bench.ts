import type { Release } from '../../../src/backlog/release.ts';
import type { Claim, ClaimRequest } from '../../../src/backlog/scheduler.ts';
import type { TaskDraft } from '../../../src/backlog/task.ts';
import type { Clock } from '../../../src/kernel/clock.ts';
import type { Store } from '../../../src/store/open.ts';

/** Time that a test moves by hand; the wall clock can jump back, the other one cannot. */
export class TestClock implements Clock {
  wall = 1_700_000_000_000;
  steady = 0;

  now = (): number => this.wall;
  elapsed = (): number => this.steady;

  pass(ms: number): void {
    this.wall += ms;
    this.steady += ms;
  }
}

/** A store under test, with time that is moved by hand. */
export interface World {
  readonly clock: TestClock;
  readonly store: Store;
  /** The same store, opened by another process: alive unless it is said to be gone, its wall clock perhaps ahead. */
  rival(options?: { readonly dead?: true; readonly aheadMs?: number }): Store;
  close(): void;
}

/** What the tests of one implementation work with. */
export class Bench {
  readonly world: World;
  #added = 0;

  constructor(world: World) {
    this.world = world;
  }

  /** Tasks that say nothing else may each change a file of their own, so that none waits for another. */
  async add(...drafts: readonly TaskDraft[]): Promise<string[]> {
    const apart = drafts.map((draft) => ({ allowedPaths: [`own/${this.#added++}.ts`], ...draft }));
    return [...(await this.store.backlog.add(apart)).added];
  }

  get store(): Store {
    return this.world.store;
  }

  claim(changes: Partial<ClaimRequest> = {}, scheduler = this.store.scheduler): Promise<Claim | undefined> {
    return scheduler.claim({
      agentId: 'ann',
      role: 'worker',
      agents: ['codex'],
      mode: 'local-git',
      leaseMs: LEASE_MS,
      ...changes,
    });
  }

  /** Claims what must be there. */
  async take(changes: Partial<ClaimRequest> = {}, scheduler = this.store.scheduler): Promise<Claim> {
    const claim = await this.claim(changes, scheduler);
    if (!claim) throw new Error('there is nothing to claim');
    return claim;
  }

  /** Lets a lease run out before the eyes of somebody who finds nothing else to do. */
  async outlive(changes: Partial<ClaimRequest> = {}, scheduler = this.store.scheduler): Promise<void> {
    const found = await this.claim(changes, scheduler);
    if (found) throw new Error(`there was something to do: ${found.task.title}`);
    this.world.clock.pass(LEASE_MS);
  }

  async titles(changes: Partial<ClaimRequest> = {}): Promise<string[]> {
    const titles: string[] = [];
    for (let claim = await this.claim(changes); claim; claim = await this.claim(changes))
      titles.push(claim.task.title);
    return titles;
  }

  finish(claim: Claim, release: Release = { state: 'done', reason: 'proven' }): Promise<boolean> {
    return this.store.scheduler.release(claim, release);
  }
}

export const LEASE_MS = 60_000;
export const COOL_DOWN_MS = 30_000;
export const REWORK_MS = 50_000;
export const MOST_RETRIES = 6;
