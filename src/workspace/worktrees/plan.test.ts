import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Plans } from '../../backlog/plans.ts';
import { openStore, type Store } from '../../store/open.ts';
import { openRepository } from '../git/repository.ts';
import { TestRepo } from '../git/testing.ts';
import { GitWorktreeManager } from './manager.ts';

let repo: TestRepo;
let store: Store;
let plans: Plans;
beforeEach(() => {
  repo = new TestRepo();
  repo.put('a.txt', 'a\n');
  repo.commit('first');
  store = openStore(join(repo.dir, '.loopwright'));
  plans = store.plans;
});
afterEach(() => {
  store.close();
  repo.dispose();
});

const bound = async (session?: string) =>
  new GitWorktreeManager(
    await openRepository(repo.dir),
    session === undefined ? {} : { plan: { plans, session } },
  );

describe('addToChangePlan', () => {
  it('B-02 WRK-22 adds to the stored plan of its session; both it and the other are reported as clashing', async () => {
    await plans.enter('A', ['a.ts']);
    await plans.enter('B', ['x.ts']);
    const manager = await bound('A');
    expect(await manager.addToChangePlan(['x.ts'])).toBe(undefined);
    expect(await plans.planOf('A')).toEqual(['a.ts', 'x.ts']);
    expect(await plans.conflicts()).toEqual([
      {
        between: [
          { kind: 'session', id: 'A' },
          { kind: 'session', id: 'B' },
        ],
        path: 'x.ts',
      },
    ]);
    await manager.addToChangePlan(['x.ts']);
    expect(await plans.conflicts()).toHaveLength(1);
  });

  it('WRK-21 takes the list alone: a manager that is bound to no session says so', async () => {
    const manager = await bound();
    await expect(manager.addToChangePlan(['x.ts'])).rejects.toThrow('bound to no session');
  });
});
