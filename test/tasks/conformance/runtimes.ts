import { describe, expect, it } from 'vitest';
import type { Bench } from './bench.ts';

/** Which runtimes there are, what they do and whether they live. */
export function describeRuntimes(bench: () => Bench): void {
  const list = () => bench().store.runtimes.list();

  describe('runtimes', () => {
    const beatMs = 1000;

    it('a runtime is idle, busy with the tasks it has claimed, idle again, and gone', async () => {
      const { runtimes } = bench().store;
      const id = await runtimes.enter({ name: 'ann', role: 'worker', beatMs });
      expect(await list()).toMatchObject([
        { id, name: 'ann', role: 'worker', state: 'idle', tasks: [], dead: false },
      ]);
      await bench().add({ title: 'one' });
      const claim = await bench().take({ agentId: 'ann' });
      await runtimes.beat(id, 'busy');
      expect(await list()).toMatchObject([{ state: 'busy', tasks: [claim.task.id] }]);
      await bench().finish(claim);
      await runtimes.beat(id, 'idle');
      expect(await list()).toMatchObject([{ state: 'idle', tasks: [] }]);
      await runtimes.leave(id);
      expect(await list()).toEqual([]);
    });

    it('one that has not shown itself for three beats is dead, until it does', async () => {
      const { runtimes } = bench().store;
      const id = await runtimes.enter({ name: 'ann', role: 'tester', beatMs });
      bench().world.clock.pass(3 * beatMs);
      expect(await list()).toMatchObject([{ dead: false }]);
      bench().world.clock.pass(1);
      expect(await list()).toMatchObject([{ dead: true, state: 'idle' }]);
      await runtimes.beat(id, 'stopping');
      expect(await list()).toMatchObject([
        { dead: false, state: 'stopping', seenAt: bench().world.clock.now() },
      ]);
    });

    it('one whose process is gone is dead at once, and is forgotten in the end', async () => {
      await bench().world.rival({ dead: true }).runtimes.enter({ name: 'bob', role: 'worker', beatMs });
      expect(await list()).toMatchObject([{ name: 'bob', dead: true }]);
      bench().world.clock.pass(25 * 3_600_000);
      await bench().store.runtimes.enter({ name: 'ann', role: 'worker', beatMs });
      expect(await list()).toMatchObject([{ name: 'ann', dead: false }]);
    });
  });
}
