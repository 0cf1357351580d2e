import { afterEach, beforeEach, describe } from 'vitest';
import { Bench, type World } from './bench.ts';
import { describeClaiming } from './claiming.ts';
import { describeLeases } from './leases.ts';
import { describeWaiting } from './waiting.ts';

/** Registers the tests that every scheduler must pass. */
export function describeScheduler(name: string, open: () => World): void {
  describe(`scheduler ${name}`, () => {
    let bench: Bench;
    beforeEach(() => {
      bench = new Bench(open());
    });
    afterEach(() => bench.world.close());
    describeClaiming(() => bench);
    describeWaiting(() => bench);
    describeLeases(() => bench);
  });
}
