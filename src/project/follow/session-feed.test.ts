import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { encodeLine } from '../../orchestrator/state/files/line.ts';
import { SessionManager } from '../../orchestrator/state/session-manager.ts';
import { halted, tempProject, workers } from '../../server/testing.ts';
import { findPlace } from '../place.ts';
import { type SessionChange, SessionFeed } from './session-feed.ts';

function feedOf(dir: string) {
  const project = findPlace(dir);
  const sessions = SessionManager.onDisk(project.sessions);
  const feed = new SessionFeed({ project, sessions });
  onTestFinished(() => feed.close());
  const told: SessionChange[] = [];
  let wake = (): void => undefined;
  feed.events.subscribe((change) => {
    told.push(change);
    wake();
  });
  /** Nothing but the feed itself looks: what it does not notice is never told. */
  const until = async (fits: (change: SessionChange) => boolean): Promise<SessionChange> => {
    for (;;) {
      const found = told.find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { feed, sessions, told, until, root: project.sessions };
}

const steps = (told: readonly SessionChange[]) =>
  told.flatMap((change) => (change.type === 'step.finished' ? [change.row.row] : []));

describe('following all sessions of a project', () => {
  it('tells of a session that another one starts, of its steps while somebody looks, and of its end', async () => {
    const { feed, sessions, told, until } = feedOf(tempProject());
    const id = await halted(sessions);
    await until(
      (change) =>
        change.type === 'session.changed' && 'status' in change.session && change.session.status === 'halted',
    );
    expect(steps(told)).toEqual([]);
    const lookAway = feed.look(id);
    await Orchestrator.open(id, { workers, sessions }).retry();
    await until((change) => change.type === 'step.finished' && change.row.row === 2);
    lookAway();
    await Orchestrator.open(id, { workers, sessions }).retry();
    sessions.remove(id);
    await until((change) => change.type === 'session.removed' && change.id === id);
    expect(steps(told)).toEqual([2]);
  });

  it('tells nothing twice, and nothing that has not changed', async () => {
    const { feed, sessions, told } = feedOf(tempProject());
    const id = await halted(sessions);
    feed.lookNow();
    const before = told.length;
    feed.look(id);
    for (let n = 0; n < 5; n++) feed.lookNow();
    expect(told.length).toBe(before);
    expect(feed.sessions().map((session) => session.id)).toEqual([id]);
  });

  it('tells of a rewind how much still counts', async () => {
    const { feed, sessions, until } = feedOf(tempProject());
    const id = await halted(sessions);
    feed.lookNow();
    feed.look(id);
    (await sessions.rewind(id, 1)).release();
    expect(await until((change) => change.type === 'session.rebased')).toEqual({
      type: 'session.rebased',
      id,
      rows: 1,
    });
  });

  it('names a damaged line once, and goes on with the others', async () => {
    const { feed, sessions, told, until, root } = feedOf(tempProject());
    const [bad, good] = [await halted(sessions, 'bad'), await halted(sessions, 'good')];
    feed.lookNow();
    feed.look(bad);
    feed.look(good);
    appendFileSync(join(root, bad, 'journal.1.jsonl'), '{"t":"step","crc":"00000000"}\n');
    const broken = await until((change) => change.type === 'session.unreadable');
    expect(broken).toMatchObject({
      id: bad,
      problem: expect.stringContaining('line 6: the line is damaged'),
    });
    for (let n = 0; n < 3; n++) feed.lookNow();
    await Orchestrator.open(good, { workers, sessions }).retry();
    await until((change) => change.type === 'step.finished' && change.id === good);
    expect(told.filter(({ type }) => type === 'session.unreadable')).toHaveLength(1);
  });

  it('tells every one of a thousand quick steps once and in order, half lines and all', async () => {
    const { feed, sessions, told, until, root } = feedOf(tempProject());
    const id = await halted(sessions);
    feed.lookNow();
    feed.look(id);
    const file = join(root, id, 'journal.1.jsonl');
    const { record } = { record: feed.steps(id).record(1) };
    const { added: _added, ...step } = record;
    const text = Array.from({ length: 1000 }, (_, n) => encodeLine({ ...step, step: n + 3, added: [] })).join(
      '',
    );
    // Cut at places that have nothing to do with the ends of lines.
    for (let at = 0; at < text.length; at += 1237) appendFileSync(file, text.slice(at, at + 1237));
    await until((change) => change.type === 'step.finished' && change.row.step === 1002);
    expect(steps(told)).toEqual(Array.from({ length: 1000 }, (_, n) => n + 2));
  });

  it('a page that is asked for takes no step away from whoever looks', async () => {
    const { feed, sessions, told } = feedOf(tempProject());
    const id = await halted(sessions);
    feed.lookNow();
    feed.look(id);
    await Orchestrator.open(id, { workers, sessions }).retry();
    expect(feed.steps(id).size).toBe(3);
    feed.lookNow();
    expect(steps(told)).toEqual([2]);
  });

  it('keeps so many indexes and no more, but never lets go of one that is looked at', async () => {
    const { feed, sessions, root } = feedOf(tempProject());
    const first = await halted(sessions);
    feed.look(first);
    const { size } = feed.steps(first);
    for (let n = 0; n < 40; n++) feed.steps(await halted(sessions));
    expect(feed.indexes.sizeOf(first)).toBe(size);
    expect(feed.indexes.count).toBe(30);
    rmSync(join(root, first), { recursive: true });
    feed.lookNow();
    expect(feed.indexes.sizeOf(first)).toBe(0);
  });
});
