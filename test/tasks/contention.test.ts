import { describe, expect, it } from 'vitest';
import { contend } from './contention/lab.mjs';

describe('processes that work one backlog off', () => {
  it.each([11, 12])(
    'B-14 GRD-04 every task ends exactly once, whoever is killed or stopped (seed %i)',
    async (seed) => {
      const { wrong, errors, kills, stops } = await contend({ processes: 4, tasks: 200, seed, every: 40 });
      expect(errors).toBe('');
      expect(wrong).toEqual([]);
      expect(kills + stops).toBeGreaterThan(3);
    },
  );
});
