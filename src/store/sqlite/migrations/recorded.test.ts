import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../open.ts';

const RECORDED = new URL('../../../../test/recorded/database/version-3.sql', import.meta.url);

describe('a database that an earlier version wrote', () => {
  let folder: string;
  let store: Store;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lw-recorded-'));
    const raw = new Libsql(join(folder, 'loopwright.db'));
    raw.exec(readFileSync(RECORDED, 'utf8'));
    raw.close();
    const clock = { now: () => 1_700_000_000_100, elapsed: () => 0 };
    store = openStore(folder, { clock, lookEveryMs: 0 });
  });
  afterEach(() => {
    store.close();
    rmSync(folder, { recursive: true });
  });

  it('keeps tasks, runs, artifacts, plans and findings', async () => {
    const tasks = await store.backlog.list();
    expect(tasks.map(({ title, state }) => [title, state])).toEqual([
      ['delivered', 'done'],
      ['at work', 'running'],
      ['waits for it', 'queued'],
      ['may change anything', 'running'],
      ['question', 'queued'],
    ]);
    expect(tasks[3]).toMatchObject({ dependencies: ['id-001'], notes: 'careful', allowedPaths: [] });
    expect(tasks[4]).toMatchObject({ agents: ['claude', 'codex'], budget: { usd: 2 } });
    await expect(store.backlog.history('id-001')).resolves.toMatchObject({
      runs: [{ state: 'success', sessionId: 'id-007' }],
      artifacts: [{ type: 'branch', ref: 'lw/1', data: { base: 'main' } }],
      events: [{ state: 'queued' }, { state: 'running' }, { state: 'done' }],
    });
    await expect(store.plans.planOf('S1')).resolves.toEqual(['README.md', 'lib/**']);
    await expect(store.plans.sessions()).resolves.toEqual([
      { id: 'S1', status: 'active', priority: 50, since: 5 },
      { id: 'S2', status: 'waiting', priority: 100, since: 6 },
    ]);
    await expect(store.findings.known('job')).resolves.toMatchObject({
      claims: [{ text: 'Water is wet' }],
      evidence: [{ url: 'https://w.example/1' }],
    });
    await expect(store.runtimes.list()).resolves.toEqual([]);
  });

  it('its sessions and its running tasks clash as before, and now with each other', async () => {
    await expect(store.plans.admit('S2')).resolves.toMatchObject({
      waitsFor: [{ id: 'S1', path: 'lib/x.ts' }],
    });
    await store.plans.enter('S3', ['docs/page.md']);
    await expect(store.plans.admit('S3')).resolves.toMatchObject({
      waitsFor: [{ kind: 'task', id: 'id-002', status: 'running', path: 'docs/page.md' }],
    });
  });

  it('a task without allowed paths clashes with everybody once it is put back in line', async () => {
    await store.scheduler.cancel('id-004', 'again');
    await store.scheduler.requeue('id-004', { reason: 'again' });
    const request = {
      agentId: 'bob',
      role: 'worker',
      agents: ['codex'],
      mode: 'local-git',
      leaseMs: 1000,
    } as const;
    await expect(store.scheduler.claim(request)).resolves.toBeUndefined();
    const task = await store.backlog.get('id-004');
    expect(task?.waitsFor).toMatch(
      /may change .*; it may change anything itself, as it has no allowed paths/,
    );
  });
});
