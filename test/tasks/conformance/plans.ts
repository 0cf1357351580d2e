import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clash, readPattern } from '../../../src/backlog/pattern.ts';
import type { Conflict } from '../../../src/backlog/plans.ts';
import { waitForTurn } from '../../../src/workspace/plan/wait.ts';
import type { Bench } from './bench.ts';

/** Which session waits for which. */
export function describePlans(bench: () => Bench): void {
  const plans = () => bench().store.plans;

  describe('plans', () => {
    it('WRK-22 B-02 adding a file that another session plans is stored and reported on both sides', async () => {
      await plans().enter('A', ['a.ts']);
      await plans().enter('B', ['x.ts']);
      await expect(plans().add('A', ['x.ts'])).resolves.toEqual([
        { kind: 'session', id: 'B', status: 'waiting', path: 'x.ts' },
      ]);
      await expect(plans().planOf('A')).resolves.toEqual(['a.ts', 'x.ts']);
      await expect(plans().conflicts()).resolves.toEqual([between('A', 'B', 'x.ts')]);
      await expect(plans().add('nobody', ['x.ts'])).rejects.toThrow('nobody is not in line');
    });

    it('B-03 a clashing session waits for its turn, others pass it by', async () => {
      await plans().enter('A', ['src/api/**']);
      await plans().enter('B', ['src/api/x.ts']);
      await plans().enter('C', ['docs/']);
      await expect(plans().admit('A')).resolves.toEqual({ admitted: true });
      await expect(plans().admit('B')).resolves.toEqual({
        admitted: false,
        waitsFor: [{ kind: 'session', id: 'A', status: 'active', path: 'src/api/x.ts' }],
      });
      await expect(plans().admit('C')).resolves.toEqual({ admitted: true });
      await plans().leave('A');
      await expect(plans().admit('B')).resolves.toEqual({ admitted: true });
      await expect(plans().conflicts()).resolves.toEqual([]);
    });

    it('B-03 order is priority, then age; a held session blocks', async () => {
      await plans().enter('old', ['same.ts'], { priority: 100 });
      await plans().enter('urgent', ['same.ts'], { priority: 1 });
      await plans().enter('young', ['same.ts'], { priority: 100 });
      const asked = ['young', 'old', 'urgent'].map(async (id) =>
        (await plans().admit(id)).admitted ? id : '',
      );
      expect((await Promise.all(asked)).filter((id) => id !== '')).toEqual(['urgent']);
      await plans().hold('urgent');
      await expect(plans().admit('old')).resolves.toMatchObject({
        waitsFor: [{ id: 'urgent', status: 'held' }],
      });
      await plans().leave('urgent');
      await expect(plans().admit('young')).resolves.toMatchObject({
        waitsFor: [{ id: 'old', status: 'waiting' }],
      });
      await expect(plans().admit('old')).resolves.toEqual({ admitted: true });
      await expect(plans().sessions()).resolves.toMatchObject([
        { id: 'old', status: 'active', since: bench().world.clock.now() },
        { id: 'young', status: 'waiting' },
      ]);
    });

    it('of two at work that turned out to clash the first continues, and nobody who waits holds it up', async () => {
      for (const id of ['A', 'B']) {
        await plans().enter(id, [`${id}.ts`]);
        await plans().admit(id);
      }
      await plans().enter('C', ['A.ts'], { priority: 1 });
      await plans().add('B', ['A.ts']);
      await expect(plans().admit('A')).resolves.toEqual({ admitted: true });
      await expect(plans().admit('B')).resolves.toMatchObject({ waitsFor: [{ id: 'A', status: 'active' }] });
    });

    it('a waiting session starts by itself when another process frees the way, and says what it waits for', async () => {
      await plans().enter('A', ['same.ts']);
      await plans().admit('A');
      await plans().enter('B', ['same.ts']);
      const said: unknown[] = [];
      const turn = waitForTurn(plans(), 'B', {
        look: () => ({ stuck: 'it is halted' }),
        onWait: (reasons) => {
          said.push(...reasons);
          void bench().world.rival().plans.leave('A');
        },
      });
      await expect(turn).resolves.toBe(true);
      expect(said).toEqual([
        { kind: 'session', id: 'A', status: 'active', path: 'same.ts', stuck: 'it is halted' },
      ]);
    });

    it('waiting can be cancelled', async () => {
      await plans().enter('A', ['same.ts']);
      await plans().admit('A');
      await plans().enter('B', ['same.ts']);
      const controller = new AbortController();
      const onWait = () => controller.abort();
      await expect(waitForTurn(plans(), 'B', { cancel: controller.signal, onWait })).resolves.toBe(false);
    });

    it('the index finds exactly the clashes that comparing everything with everything would', async () => {
      const part = fc.constantFrom('a', 'b', 'ab', '*', '**', 'a*');
      const pattern = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
      await fc.assert(
        fc.asyncProperty(fc.array(pattern, { minLength: 2, maxLength: 6 }), async (patterns) => {
          for (const [i, text] of patterns.entries()) await plans().enter(`s${i}`, [text]);
          const found = (await plans().conflicts()).map((conflict) => namesOf(conflict)).toSorted();
          const expected = patterns.flatMap((a, i) =>
            patterns.flatMap((b, j) =>
              i < j && clash(readPattern(a), readPattern(b)) ? [`s${i} s${j}`] : [],
            ),
          );
          for (const i of patterns.keys()) await plans().leave(`s${i}`);
          expect([...new Set(found)]).toEqual(expected.toSorted());
        }),
        { numRuns: 40 },
      );
    });
  });
}

function between(a: string, b: string, path: string): Conflict {
  return {
    between: [
      { kind: 'session', id: a },
      { kind: 'session', id: b },
    ],
    path,
  };
}

function namesOf(conflict: Conflict): string {
  return conflict.between.map(({ id }) => id).join(' ');
}
