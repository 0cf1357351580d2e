import type { Clock } from '../../../src/kernel/clock.ts';
import type { Backlog } from '../../../src/tasks/backlog/backlog.ts';
import type { TaskDraft } from '../../../src/tasks/backlog/task.ts';
import type { Claim, ClaimRequest, Release, Scheduler } from '../../../src/tasks/scheduler/scheduler.ts';

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

export interface World {
  readonly clock: TestClock;
  readonly backlog: Backlog;
  readonly scheduler: Scheduler;
  /** A scheduler of another process: `alive` until it is said to be gone. */
  rival(options?: { readonly dead?: true }): Scheduler;
  close(): void;
}

/** What the tests of one implementation work with. */
export class Bench {
  readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  async add(...drafts: readonly (Partial<TaskDraft> & { readonly title: string })[]): Promise<string[]> {
    return [...(await this.world.backlog.add(drafts)).added];
  }

  claim(changes: Partial<ClaimRequest> = {}, scheduler = this.world.scheduler): Promise<Claim | undefined> {
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
  async take(changes: Partial<ClaimRequest> = {}, scheduler = this.world.scheduler): Promise<Claim> {
    const claim = await this.claim(changes, scheduler);
    if (!claim) throw new Error('there is nothing to claim');
    return claim;
  }

  async titles(changes: Partial<ClaimRequest> = {}): Promise<string[]> {
    const titles: string[] = [];
    for (let claim = await this.claim(changes); claim; claim = await this.claim(changes))
      titles.push(claim.task.title);
    return titles;
  }

  finish(claim: Claim, release: Release = { state: 'done', reason: 'proven' }): Promise<boolean> {
    return this.world.scheduler.release(claim, release);
  }
}

export const LEASE_MS = 60_000;
export const COOL_DOWN_MS = 30_000;
