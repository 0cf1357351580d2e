import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LiveChange, ServerMessage, Topic } from '../../api/routes/live.ts';
import { LiveClient, type Sink } from './client.ts';
import { Hub, type HubEvent, type HubLimits } from './hub.ts';

const changed = (id: string, n: number) =>
  ({ type: 'session.changed', session: { id, status: 'unreadable', problem: String(n) } }) as LiveChange;
const removed = (id: string): LiveChange => ({ type: 'session.removed', id });
const finished = (id: string, row: number) => ({ type: 'step.finished', id, row: { row } }) as LiveChange;
const output = (text: string) =>
  ({
    type: 'engine',
    id: 'S',
    at: 0,
    event: { session: 'S', type: 'step.output', step: 1, block: 'B', text },
  }) as LiveChange;

/** A client that takes what it is sent, or does not. */
class Reader implements Sink {
  readonly got: HubEvent[] = [];
  readonly said: ServerMessage[] = [];
  waiting = 0;
  closed: string | undefined;

  events(events: readonly HubEvent[]): void {
    this.got.push(...events);
  }

  say(message: ServerMessage): void {
    this.said.push(message);
  }

  unsent(): number {
    return this.waiting;
  }

  close(reason: string): void {
    this.closed = reason;
  }

  get ids(): number[] {
    return this.got.map(({ n }) => n);
  }
}

function client(hub: Hub, topics: readonly Topic[], now: () => number = () => 0) {
  const reader = new Reader();
  const live = new LiveClient(hub, reader, now);
  live.watch(topics);
  return { reader, live };
}

describe('the order of events', () => {
  it('ids name the start and only grow; what is kept is bounded by number and by bytes', () => {
    const hub = new Hub('b', { events: 3, bytes: 1_000_000 });
    expect(hub.at).toBe('b-0');
    for (let n = 1; n <= 5; n++) hub.publish(['overview'], changed('S', n));
    expect(hub.since('b-2')?.map(({ id }) => id)).toEqual(['b-3', 'b-4', 'b-5']);
    expect(hub.since('b-5')).toEqual([]);
    for (const gone of ['b-1', 'other-4', 'b-6', 'b-', 'nonsense', ''])
      expect(hub.since(gone)).toBeUndefined();
    const small = new Hub('b', { events: 100, bytes: 300 });
    for (let n = 1; n <= 5; n++) small.publish(['overview'], changed('S', n));
    expect(small.since('b-1')).toBeUndefined();
    expect(small.since('b-4')).toHaveLength(1);
  });

  it('a client gets its topics, the newest of what replaces itself, and everything else once', () => {
    const hub = new Hub('b');
    const { reader, live } = client(hub, ['session:A']);
    hub.publish(['overview', 'session:A'], changed('A', 1));
    hub.publish(['session:A'], finished('A', 0));
    hub.publish(['overview', 'session:B'], changed('B', 1));
    hub.publish(['overview', 'session:A'], changed('A', 2));
    hub.publish(['session:A'], finished('A', 1));
    live.flush();
    live.flush();
    expect(reader.ids).toEqual([2, 4, 5]);
    live.close();
    hub.publish(['session:A'], finished('A', 2));
    live.flush();
    expect(reader.ids).toEqual([2, 4, 5]);
  });

  it('whoever comes back gets what it missed, or is told to ask for everything again', () => {
    const hub = new Hub('b', { events: 10, bytes: 1_000_000 });
    for (let n = 0; n < 5; n++) hub.publish(['session:A'], finished('A', n));
    const back = (after: string, covered = 0) => {
      const reader = new Reader();
      const live = new LiveClient(hub, reader, () => 0);
      live.watch(['session:A'], { after, covered });
      live.flush();
      live.close();
      return { ids: reader.ids, reset: reader.said.some((message) => 'reset' in message) };
    };
    expect(back('b-3')).toEqual({ ids: [4, 5], reset: false });
    // Nobody looked at the session between 3 and 4: its steps were not told.
    expect(back('b-3', 4)).toEqual({ ids: [], reset: true });
    expect(back('old-3')).toEqual({ ids: [], reset: true });
    for (let n = 5; n < 20; n++) hub.publish(['session:A'], finished('A', n));
    expect(back('b-3')).toEqual({ ids: [], reset: true });
  });

  it('output is left out beyond its share, and said to be', () => {
    const hub = new Hub('b');
    let now = 0;
    const { reader, live } = client(hub, ['session:S'], () => now);
    for (let n = 0; n < 5; n++) hub.publish(['session:S'], output('x'.repeat(100_000)));
    live.flush();
    expect(reader.ids).toEqual([1, 2]);
    expect(reader.said).toEqual([{ skipped: { topic: 'session:S', bytes: expect.any(Number) } }]);
    now = 1001;
    hub.publish(['session:S'], output('y'));
    live.flush();
    expect(reader.ids).toEqual([1, 2, 6]);
    live.close();
  });

  it('who reads slowly gets nothing more, then a reset; who does not read at all is let go', () => {
    const hub = new Hub('b');
    let now = 0;
    const { reader, live } = client(hub, ['session:A', 'overview'], () => now);
    reader.waiting = 2 * 1024 * 1024;
    hub.publish(['session:A'], finished('A', 0));
    hub.publish(['overview'], changed('A', 1));
    live.flush();
    expect(reader.ids).toEqual([]);
    reader.waiting = 0;
    live.flush();
    expect(reader.said).toEqual([{ reset: { at: 'b-2' } }]);
    reader.waiting = 9 * 1024 * 1024;
    live.flush();
    expect(reader.closed).toBeDefined();
    reader.closed = undefined;
    reader.waiting = 10;
    live.flush();
    now = 31_000;
    live.flush();
    expect(reader.closed).toBeDefined();
    live.close();
  });
});

/** What a page keeps: made of a snapshot, then of events. */
interface Page {
  at: number;
  readonly sessions: Map<string, string>;
  readonly rows: Map<string, readonly number[]>;
}

class World {
  readonly sessions = new Map<string, string>();
  /** Which rows are known: a step that was missed is not made good by the next one. */
  readonly rows = new Map<string, readonly number[]>();

  apply(change: LiveChange): void {
    if (change.type === 'session.changed' && 'problem' in change.session)
      this.sessions.set(change.session.id, change.session.problem);
    if (change.type === 'session.removed') {
      this.sessions.delete(change.id);
      this.rows.delete(change.id);
    }
    const rows = 'id' in change ? (this.rows.get(change.id) ?? []) : [];
    if (change.type === 'step.finished') this.rows.set(change.id, [...rows, change.row.row]);
    if (change.type === 'session.rebased')
      this.rows.set(
        change.id,
        rows.filter((row) => row < change.rows),
      );
  }

  snapshot(at: number): Page {
    return { at, sessions: new Map(this.sessions), rows: new Map(this.rows) };
  }
}

type Act =
  | { readonly do: 'change'; readonly id: string; readonly n: number }
  | { readonly do: 'remove' | 'step' | 'rebase'; readonly id: string }
  | { readonly do: 'flush' | 'drop' | 'comeBack' | 'slow' | 'fast' };

const id = fc.constantFrom('A', 'B', 'C');
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constant('change' as const), id, n: fc.nat(9) }),
  fc.record({
    do: fc.constantFrom('remove' as const, 'step' as const, 'step' as const, 'rebase' as const),
    id,
  }),
  fc.record({
    do: fc.constantFrom(
      'flush' as const,
      'drop' as const,
      'comeBack' as const,
      'slow' as const,
      'fast' as const,
    ),
  }),
);
const TOPICS: readonly Topic[] = ['overview', 'session:A', 'session:B', 'session:C'];

describe('any split of the stream and any reconnect', () => {
  it('give the state of a fresh snapshot', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 200 }), fc.integer({ min: 1, max: 40 }), (acts, kept) => {
        const limits: HubLimits = { events: kept, bytes: 1_000_000 };
        const hub = new Hub('b', limits);
        const world = new World();
        let page: Page = world.snapshot(0);
        let connection: { reader: Reader; live: LiveClient } | undefined;
        const local = new World();
        const load = (fresh: Page): void => {
          page = fresh;
          local.sessions.clear();
          local.rows.clear();
          for (const [key, value] of fresh.sessions) local.sessions.set(key, value);
          for (const [key, value] of fresh.rows) local.rows.set(key, value);
        };
        const take = (): void => {
          if (!connection) return;
          const { reader } = connection;
          // In the order in which they arrive: what came before a reset is older than the snapshot that follows it.
          for (const message of reader.said.splice(0)) if ('reset' in message) load(world.snapshot(hub.n));
          for (const { n, change } of reader.got.splice(0)) {
            if (n <= page.at) continue;
            local.apply(change);
            page = { ...page, at: n };
          }
        };
        const connect = (): void => {
          const reader = new Reader();
          const live = new LiveClient(hub, reader, () => 0);
          live.watch(TOPICS, { after: `b-${page.at}`, covered: 0 });
          connection = { reader, live };
        };
        const publish = (topics: readonly Topic[], change: LiveChange): void => {
          world.apply(change);
          hub.publish(topics, change);
        };
        connect();
        for (const each of acts) {
          const own = 'id' in each ? (`session:${each.id}` as const) : 'overview';
          if (each.do === 'change') publish(['overview', own], changed(each.id, each.n));
          else if (each.do === 'remove') publish(['overview', own], removed(each.id));
          else if (each.do === 'step')
            publish([own], finished(each.id, world.rows.get(each.id)?.length ?? 0));
          else if (each.do === 'rebase') {
            const rows = Math.floor((world.rows.get(each.id)?.length ?? 0) / 2);
            publish([own], { type: 'session.rebased', id: each.id, rows });
          } else if (each.do === 'flush') {
            connection?.live.flush();
            take();
          } else if (each.do === 'drop') {
            connection?.live.close();
            connection = undefined;
          } else if (each.do === 'comeBack' && !connection) connect();
          else if (each.do === 'slow' && connection) connection.reader.waiting = 2 * 1024 * 1024;
          else if (each.do === 'fast' && connection) connection.reader.waiting = 0;
        }
        if (!connection) connect();
        if (connection) (connection as { reader: Reader }).reader.waiting = 0;
        for (let n = 0; n < 3; n++) {
          connection?.live.flush();
          take();
        }
        connection?.live.close();
        expect(local.sessions).toEqual(world.sessions);
        expect(local.rows).toEqual(world.rows);
      }),
      { numRuns: 400 },
    );
  });
});
