import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Orchestrator } from '../../orchestrator.ts';
import { emitting, HALTING, haltingWorkers as workers } from '../../testing.ts';
import { SessionManager } from '../session-manager.ts';
import type { JournalPosition } from '../store.ts';
import { FileStore } from './file-store.ts';
import { type FollowOptions, followJournal } from './follow-journal.ts';
import type { Followed } from './journal-cursor.ts';
import { encodeLine } from './line.ts';

describe('following a journal', () => {
  let root: string;
  let sessions: SessionManager;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'lw-follow-'));
    sessions = SessionManager.onDisk(root);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const halted = async () =>
    (await new Orchestrator(HALTING, { workers, sessions }).execute('N', { goal: 'g' })).sessionId;
  const journal = (id: string, epoch: number) => join(root, id, `journal.${epoch}.jsonl`);
  const note = (data: string) =>
    encodeLine({ t: 'progress', step: 9, note: { type: 'own', data: { data } } });

  /** A follower that is asked for one more as often as the test wants. */
  function follower(id: string, options: FollowOptions = {}) {
    const stop = new AbortController();
    const all = followJournal(join(root, id), { ...options, stop: stop.signal });
    const seen: Followed[] = [];
    const until = async (fits: (followed: Followed) => boolean): Promise<Followed[]> => {
      for (;;) {
        const { value, done } = await all.next();
        if (done) return seen;
        seen.push(value);
        if (fits(value)) return seen;
      }
    };
    return { until, seen, end: () => stop.abort() };
  }
  const isRecord =
    (t: string) =>
    (followed: Followed): boolean =>
      followed.type === 'record' && followed.record.t === t;
  const kinds = (seen: readonly Followed[]): string[] =>
    seen.map((followed) => (followed.type === 'record' ? followed.record.t : followed.type));

  it('tells what is there, then what comes; from each position on it tells the rest', async () => {
    const id = await halted();
    const { until, end } = follower(id);
    const before = [...(await until(isRecord('released')))];
    const stored = new FileStore(root).read(id)?.records ?? [];
    expect(before.map((followed) => followed.type === 'record' && JSON.stringify(followed.record))).toEqual(
      stored.map((record) => JSON.stringify(record)),
    );
    appendFileSync(journal(id, 1), note('later'));
    expect(kinds(await until(isRecord('progress')))).toEqual([...kinds(before), 'progress']);
    end();
    for (const [index, followed] of before.entries()) {
      if (followed.type !== 'record') continue;
      const rest = follower(id, { from: followed.at });
      expect(kinds(await rest.until(isRecord('progress')))).toEqual([
        ...kinds(before).slice(index + 1),
        'progress',
      ]);
    }
  });

  it('waits for the rest of a half line', async () => {
    const id = await halted();
    const { until } = follower(id);
    await until(isRecord('released'));
    const line = note('whole only now');
    appendFileSync(journal(id, 1), line.slice(0, 20));
    const next = until(isRecord('progress'));
    appendFileSync(journal(id, 1), line.slice(20));
    expect((await next).at(-1)).toMatchObject({ record: { note: { data: { data: 'whole only now' } } } });
  });

  it('continues with the next owner, and takes back what that one did not count', async () => {
    const id = await halted();
    const { until, seen } = follower(id);
    await until(isRecord('released'));
    const counted = readFileSync(journal(id, 1)).length;
    await Orchestrator.open(id, { workers: { ...workers, B: emitting('SUCCESS') }, sessions }).retry();
    // Written by the old owner after it had lost the session.
    appendFileSync(journal(id, 1), note('nobody counts this'));
    const after = kinds([...(await until(isRecord('released')))].slice(kinds(seen).indexOf('released') + 1));
    expect(after).toEqual(['claimed', 'based', 'continued', 'step', 'step', 'released']);
    const behind = { epoch: 1, offset: readFileSync(journal(id, 1)).length };
    const late = follower(id, { from: behind });
    expect((await late.until(isRecord('released')))[0]).toEqual({
      type: 'cut',
      at: { epoch: 1, offset: counted },
    });
  });

  it('takes back the steps that a rewind undoes', async () => {
    const id = await halted();
    const { until } = follower(id);
    const positions: JournalPosition[] = [];
    for (const followed of await until(isRecord('released')))
      if (followed.type === 'record' && followed.record.t === 'step') positions.push(followed.at);
    (await sessions.rewind(id, 1)).release();
    const told = await until((followed) => isRecord('rewound')(followed));
    expect(told.find(({ type }) => type === 'cut')).toEqual({ type: 'cut', at: positions[0] });
    expect(kinds(told).slice(-3)).toEqual(['claimed', 'based', 'rewound']);
  });

  it('ends when the session is deleted', async () => {
    const id = await halted();
    const { until } = follower(id);
    await until(isRecord('released'));
    const rest = until(() => false);
    sessions.remove(id);
    expect((await rest).at(-1)).toEqual({ type: 'removed' });
  });

  it('names file and line of what is damaged', async () => {
    const id = await halted();
    const lines = readFileSync(journal(id, 1), 'utf8').split('\n');
    writeFileSync(
      journal(id, 1),
      [...lines.slice(0, 2), lines[2]?.replace('A', 'X'), ...lines.slice(3)].join('\n'),
    );
    const { until } = follower(id);
    await expect(until(() => false)).rejects.toThrow(/journal\.1\.jsonl, line 3: the line is damaged/);
  });

  it('ends when its reader wants no more', async () => {
    const id = await halted();
    const { until, end } = follower(id);
    await until(isRecord('released'));
    const rest = until(() => false);
    end();
    expect(kinds(await rest).at(-1)).toBe('released');
  });
});
