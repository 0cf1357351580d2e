import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayOf, nextDay, reachedWords } from '../backlog/spend.ts';
import { openStore, type Store } from './open.ts';

describe('what is spent', () => {
  let folder: string;
  let store: Store;
  let gone = false;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lw-spend-'));
    gone = false;
    store = openStore(folder, { isGone: () => gone });
  });
  afterEach(() => {
    store.close();
    rmSync(folder, { recursive: true });
  });

  const caps = { day: { usd: 1 } };
  const begin = (run: string, usd?: number) =>
    store.spending.begin({ run, day: '2026-11-18', caps, budget: usd === undefined ? {} : { usd } });

  it('BUD-03 of several that start at once only as many begin as fit', async () => {
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((run) => begin(run, 0.3)));
    expect(answers.filter((reached) => reached === undefined)).toHaveLength(3);
    expect(answers.at(-1)).toMatchObject({ scope: 'day', unit: 'usd', most: 1 });
    await store.spending.end('a');
    await expect(begin('d', 0.3)).resolves.toBeUndefined();
  });

  it('what a process reserved that is gone is free again, and what it used stays used', async () => {
    await begin('a', 1);
    await store.spending.used('a', '2026-11-18', { usd: 0.2, tokens: 5 });
    await expect(begin('b', 0.5)).resolves.toBeDefined();
    gone = true;
    await expect(begin('b', 0.5)).resolves.toBeUndefined();
    await expect(store.spending.state('2026-11-18')).resolves.toMatchObject({
      today: { usd: 0.2, tokens: 5, runs: 2 },
    });
  });

  it('a run without a budget reserves what such runs used before', async () => {
    await begin('a');
    await store.spending.used('a', '2026-11-17', { usd: 0.6, tokens: 0 });
    await store.spending.end('a');
    await expect(begin('b')).resolves.toBeUndefined();
    await expect(begin('c')).resolves.toMatchObject({ unit: 'usd' });
  });

  it('BUD-01 the sums are the same after a restart, by day and in all', async () => {
    await begin('a');
    await store.spending.used('a', '2026-11-17', { usd: 0.5, tokens: 7 });
    await store.spending.used('a', '2026-11-18', { usd: 0.25, tokens: 3 });
    await store.spending.raise('2026-11-18', { usd: 2 });
    store.close();
    store = openStore(folder);
    await expect(store.spending.state('2026-11-18')).resolves.toMatchObject({
      today: { usd: 0.25, tokens: 3 },
      project: { usd: 0.75, tokens: 10 },
      raised: { usd: 2, tokens: 0, runs: 0 },
    });
  });

  it('a day is one of this machine, and the next begins at its midnight', () => {
    const noon = new Date(2026, 10, 18, 12).getTime();
    expect(dayOf(noon)).toBe('2026-11-18');
    expect(dayOf(nextDay(noon) - 1)).toBe('2026-11-18');
    expect(dayOf(nextDay(noon))).toBe('2026-11-19');
    expect(reachedWords({ scope: 'day', unit: 'usd', spent: 1.234, most: 1 })).toBe(
      '1.23 of 1 USD of today are spent',
    );
  });
});
