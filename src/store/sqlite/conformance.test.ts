import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import {
  COOL_DOWN_MS,
  MOST_RETRIES,
  REWORK_MS,
  TestClock,
  type World,
} from '../../../test/tasks/conformance/bench.ts';
import { describeStore } from '../../../test/tasks/conformance/suite.ts';
import { ownIdentity } from '../../process/identity.ts';
import { openStore, type Store, type StoreOptions } from '../open.ts';

describe('RUN-11 RUN-12 ST-08 B-14 what every store promises', () => {
  describeStore('sqlite', openWorld);
});

function openWorld(): World {
  const folder = mkdtempSync(join(tmpdir(), 'lw-store-'));
  const clock = new TestClock();
  const stores: Store[] = [];
  const open = (more: StoreOptions = {}): Store => {
    const rests = { coolDownMs: COOL_DOWN_MS, reworkMs: REWORK_MS, mostRetries: MOST_RETRIES };
    const store = openStore(folder, { clock, ...rests, lookEveryMs: 0, ...more });
    stores.push(store);
    return store;
  };
  return {
    clock,
    store: open(),
    rival: ({ dead, aheadMs = 0 } = {}) =>
      open({
        clock: { now: () => clock.now() + aheadMs, elapsed: clock.elapsed },
        ...(dead ? { owner: () => ({ ...ownIdentity(), startTime: 'of a process that is gone' }) } : {}),
      }),
    close() {
      for (const store of stores) store.close();
      rmSync(folder, { recursive: true });
    },
  };
}
