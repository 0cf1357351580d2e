import { afterEach, beforeEach, describe } from 'vitest';
import { describeBacklog } from './backlog.ts';
import { Bench, type World } from './bench.ts';
import { describeClaiming } from './claiming.ts';
import { describeClashes } from './clashes.ts';
import { describeFindings } from './findings.ts';
import { describeLeases } from './leases.ts';
import { describePlans } from './plans.ts';
import { describeRuntimes } from './runtimes.ts';
import { describeWaiting } from './waiting.ts';

/** Registers the tests that every store must pass: one suite per port, written against the ports alone. */
export function describeStore(name: string, open: () => World): void {
  describe(`store ${name}`, () => {
    let bench: Bench;
    beforeEach(() => {
      bench = new Bench(open());
    });
    afterEach(() => bench.world.close());
    describeBacklog(() => bench);
    describe('scheduler', () => {
      describeClaiming(() => bench);
      describeWaiting(() => bench);
      describeLeases(() => bench);
      describeClashes(() => bench);
    });
    describePlans(() => bench);
    describeFindings(() => bench);
    describeRuntimes(() => bench);
  });
}
