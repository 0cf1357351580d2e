import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Orchestrator } from '../../orchestrator.ts';
import { HALTING, haltingWorkers as workers } from '../../testing.ts';
import { SessionManager } from '../session-manager.ts';
import { segmentsOf } from '../stored-segments.ts';
import { FileStore } from './file-store.ts';
import { encodeLine } from './line.ts';
import { StepIndex } from './step-index.ts';

describe('the index of the steps of a session', () => {
  let root: string;
  let sessions: SessionManager;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'lw-index-'));
    sessions = SessionManager.onDisk(root);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const engine = { workers, sessions: undefined as never };
  const halted = async () =>
    (await new Orchestrator(HALTING, { ...engine, sessions }).execute('N', { goal: 'g' })).sessionId;
  const indexOf = (id: string) => new StepIndex(join(root, id));
  const rows = (index: StepIndex) => Array.from({ length: index.size }, (_, row) => index.row(row));
  const journal = (id: string, epoch: number) => join(root, id, `journal.${epoch}.jsonl`);

  it('has the trail of the session, and reads what a step added from its place', async () => {
    const id = await halted();
    const index = indexOf(id);
    expect(index.extend()).toEqual({ kept: 0, rebased: false, removed: false });
    const { state } = sessions.load(id);
    const told = rows(index).map(
      ({ row: _r, attempt: _a, files: _f, tokens: _t, usd: _u, ...entry }) => entry,
    );
    expect(told).toEqual(state.trail.toArray());
    expect(index.rowOf(2)).toBe(1);
    expect(index.rowOf(9)).toBeUndefined();
    expect(segmentsOf(index.record(1).added)).toEqual(state.history.segments().slice(-1));
    expect(index.marks.map(({ kind, what }) => [kind, what])).toEqual([
      ['owner', expect.stringContaining('process')],
      ['status', 'halted'],
    ]);
  });

  it('goes on over owners, counts attempts, and gives each step what was used in it', async () => {
    const id = await halted();
    const index = indexOf(id);
    index.extend();
    await Orchestrator.open(id, { workers, sessions }).retry({ guidance: 'look closer' });
    expect(index.extend()).toEqual({ kept: 2, rebased: false, removed: false });
    expect(rows(index).map(({ block: at, attempt }) => [at, attempt])).toEqual([
      ['N__A', 1],
      ['N__B', 1],
      ['N__B', 2],
    ]);
    expect(index.marks.find(({ kind }) => kind === 'continued')).toMatchObject({
      after: 2,
      what: 'retry',
      said: 'look closer',
    });
    appendFileSync(journal(id, 2), encodeLine({ t: 'usage', tokens: 5, usd: 0.5 }));
    appendFileSync(journal(id, 2), encodeLine({ t: 'usage', tokens: 2 }));
    const { added: _added, ...step } = index.record(2);
    appendFileSync(journal(id, 2), encodeLine({ ...step, step: 4, added: [] }));
    index.extend();
    expect(index.row(3)).toMatchObject({ step: 4, attempt: 3, tokens: 7, usd: 0.5 });
  });

  it('is cut by a rewind, and is then what a fresh one is', async () => {
    const id = await halted();
    await Orchestrator.open(id, { workers, sessions }).retry();
    const index = indexOf(id);
    index.extend();
    (await sessions.rewind(id, 1)).release();
    expect(index.extend()).toEqual({ kept: 1, rebased: true, removed: false });
    const fresh = indexOf(id);
    fresh.extend();
    expect(rows(index)).toEqual(rows(fresh));
    expect(index.marks).toEqual(fresh.marks);
  });

  it('takes back what a process wrote after it was taken over', async () => {
    const id = await halted();
    const index = indexOf(id);
    index.extend();
    const before = readFileSync(journal(id, 1));
    const { added: _added, ...late } = index.record(1);
    appendFileSync(journal(id, 1), encodeLine({ ...late, step: 3, added: [] }));
    index.extend();
    expect(index.size).toBe(3);
    truncateSync(journal(id, 1), before.length);
    new FileStore(root).claim(id, 1, { owner: sessions.load(id).session.owner, at: 1 }).close();
    appendFileSync(journal(id, 1), encodeLine({ ...late, step: 3, added: [] }));
    expect(index.extend()).toMatchObject({ kept: 2, rebased: true });
    expect(index.size).toBe(2);
  });

  it('waits for the other half of a line, names a damaged one, and says when the session is gone', async () => {
    const id = await halted();
    const index = indexOf(id);
    index.extend();
    const { added: _added, ...step } = index.record(1);
    const line = encodeLine({ ...step, step: 3, added: [] });
    appendFileSync(journal(id, 1), line.slice(0, 40));
    index.extend();
    expect(index.size).toBe(2);
    appendFileSync(journal(id, 1), line.slice(40));
    index.extend();
    expect(index.size).toBe(3);
    appendFileSync(journal(id, 1), line.replace('"step":3', '"step":4'));
    expect(() => index.extend()).toThrow(/journal\.1\.jsonl, line 7: the line is damaged/);
    rmSync(join(root, id), { recursive: true });
    expect(index.extend().removed).toBe(true);
  });

  it('is small, and grows with the number of steps alone', async () => {
    const id = await halted();
    const index = indexOf(id);
    index.extend();
    const { added: _added, ...step } = index.record(1);
    const big = [{ id: '3.1', type: 'X', content: 'x'.repeat(10_000) }];
    const lines = Array.from({ length: 500 }, (_, n) => encodeLine({ ...step, step: n + 3, added: big }));
    writeFileSync(journal(id, 1), lines.join(''), { flag: 'a' });
    index.extend();
    expect(index.size).toBe(502);
    expect(index.bytes).toBeLessThan(502 * 120);
  });
});
