import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../store/database.ts';
import { ChangePlans } from './change-plans.ts';
import { clash, readPattern } from './pattern.ts';
import { waitForTurn } from './wait.ts';

const clashing = (a: string, b: string) => clash(readPattern(a), readPattern(b));

describe('clashes', () => {
  it.each([
    ['src/a.ts', 'src/a.ts', true],
    ['src/a.ts', 'src/b.ts', false],
    ['src/a.ts', './src/a.ts', true],
    ['src/api', 'src/api/x.ts', true],
    ['src/api/', 'src/api/x.ts', true],
    ['src/api/', 'src/api', true],
    ['src/api', 'src/apis/x.ts', false],
    ['src/api/**', 'src/api/deep/x.ts', true],
    ['src/api/**', 'src/app.ts', false],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/a.js', false],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/**', 'src/api/**', true],
    ['src/api/**', 'docs/**', false],
    ['**/*.md', 'docs/a.md', true],
    ['**', 'x', true],
    ['src/.env*', 'src/.env.local', true],
  ])('B-02 %s and %s: %s', (a, b, expected) => {
    expect(clashing(a, b)).toBe(expected);
    expect(clashing(b, a)).toBe(expected);
  });

  it.each(['/etc/passwd', '../x', 'a/../../x', '', '.git/config', 'a\0b'])('refuses %o', (text) => {
    expect(() => readPattern(text)).toThrow('cannot be part of a change plan');
  });
});

describe('change plans', () => {
  let folder: string;
  let database: Database;
  let plans: ChangePlans;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lw-plans-'));
    database = Database.open(join(folder, 'state', 'loopwright.db'));
    plans = new ChangePlans(database);
  });
  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  const at = 1;

  it('WRK-22 B-02 adding a file that another session plans is stored and reported on both sides', async () => {
    await plans.enter('A', ['a.ts'], { at });
    await plans.enter('B', ['x.ts'], { at });
    await expect(plans.add('A', ['x.ts'])).resolves.toMatchObject([{ session: 'B', path: 'x.ts' }]);
    await expect(plans.planOf('A')).resolves.toEqual(['a.ts', 'x.ts']);
    await expect(plans.conflicts()).resolves.toEqual([{ sessions: ['A', 'B'], path: 'x.ts' }]);
  });

  it('B-03 a clashing session waits for its turn, others pass it by', async () => {
    await plans.enter('A', ['src/api/**'], { at });
    await plans.enter('B', ['src/api/x.ts'], { at });
    await plans.enter('C', ['docs/'], { at });
    await expect(plans.admit('A')).resolves.toEqual({ admitted: true });
    await expect(plans.admit('B')).resolves.toEqual({
      admitted: false,
      waitsFor: [{ session: 'A', status: 'active', path: 'src/api/x.ts' }],
    });
    await expect(plans.admit('C')).resolves.toEqual({ admitted: true });
    await plans.leave('A');
    await expect(plans.admit('B')).resolves.toEqual({ admitted: true });
    await expect(plans.conflicts()).resolves.toEqual([]);
  });

  it('B-03 order is priority, then age; a held session blocks', async () => {
    for (const [id, priority] of [
      ['old', 100],
      ['urgent', 1],
      ['young', 100],
    ] as const) {
      await plans.enter(id, ['same.ts'], { priority, at });
    }
    const admitted = async () => {
      const answers = await Promise.all(
        ['young', 'old', 'urgent'].map(async (id) => ((await plans.admit(id)).admitted ? id : '')),
      );
      return answers.filter((id) => id !== '');
    };
    await expect(admitted()).resolves.toEqual(['urgent']);
    await plans.hold('urgent');
    await expect(plans.admit('old')).resolves.toMatchObject({
      waitsFor: [{ session: 'urgent', status: 'held' }],
    });
    await plans.leave('urgent');
    await expect(plans.admit('young')).resolves.toMatchObject({
      waitsFor: [{ session: 'old', status: 'waiting' }],
    });
    await expect(plans.admit('old')).resolves.toEqual({ admitted: true });
  });

  it('a waiting session starts by itself when the way is free, and says what it waits for', async () => {
    await plans.enter('A', ['same.ts'], { at });
    await plans.admit('A');
    await plans.enter('B', ['same.ts'], { at });
    const said: unknown[] = [];
    const other = Database.open(database.file);
    const turn = waitForTurn(plans, database, 'B', {
      look: () => ({ stuck: 'it is halted' }),
      onWait: (reasons) => {
        said.push(...reasons);
        void new ChangePlans(other).leave('A');
      },
    });
    await expect(turn).resolves.toBe(true);
    expect(said).toEqual([{ session: 'A', status: 'active', path: 'same.ts', stuck: 'it is halted' }]);
    other.close();
  });

  it('waiting can be cancelled', async () => {
    await plans.enter('A', ['same.ts'], { at });
    await plans.admit('A');
    await plans.enter('B', ['same.ts'], { at });
    const controller = new AbortController();
    const turn = waitForTurn(plans, database, 'B', {
      cancel: controller.signal,
      onWait: () => controller.abort(),
    });
    await expect(turn).resolves.toBe(false);
  });

  it('the index finds exactly the clashes that comparing everything with everything would', async () => {
    const part = fc.constantFrom('a', 'b', 'ab', '*', '**', 'a*');
    const pattern = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
    await fc.assert(
      fc.asyncProperty(fc.array(pattern, { minLength: 2, maxLength: 6 }), async (patterns) => {
        for (const [i, text] of patterns.entries()) await plans.enter(`s${i}`, [text], { at });
        const found = (await plans.conflicts()).map(({ sessions }) => sessions.join(' ')).toSorted();
        const expected = patterns.flatMap((a, i) =>
          patterns.flatMap((b, j) => (i < j && clashing(a, b) ? [`s${i} s${j}`] : [])),
        );
        for (const i of patterns.keys()) await plans.leave(`s${i}`);
        expect([...new Set(found)]).toEqual(expected.toSorted());
      }),
      { numRuns: 40 },
    );
  });

  it('a damaged database is named with a way out', () => {
    const file = join(folder, 'broken.db');
    writeFileSync(file, 'this is not a database, and long enough to have a header of its own'.repeat(40));
    expect(() => Database.open(file)).toThrow(/broken\.db is damaged/);
  });

  it('a database of a newer version is left alone', () => {
    const file = join(folder, 'newer.db');
    const raw = new Libsql(file);
    raw.exec('pragma user_version = 99');
    raw.close();
    expect(() => Database.open(file)).toThrow('written by a newer loopwright (version 99)');
  });
});
