import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldEvent, type LiveSession, NOT_STARTED } from '../../../src/api/live.ts';
import { LiveSessions } from './live-sessions.ts';

type Change = Parameters<LiveSessions['event']>[1];

const ID = 'session-1';
const EVENTS: readonly Change['event'][] = [
  { session: ID, type: 'session.started', goal: 'x', at: 'A' },
  { session: ID, type: 'step.started', step: 1, block: 'A', worker: 'w' },
  { session: ID, type: 'step.output', step: 1, block: 'A', text: 'one\n' },
  { session: ID, type: 'step.output', step: 1, block: 'A', text: 'two\n' },
  { session: ID, type: 'step.started', step: 2, block: 'B', worker: 'w' },
];
const change = (n: number): Change => ({
  type: 'engine',
  id: ID,
  at: n,
  event: EVENTS[n % EVENTS.length] as Change['event'],
});

/** What the server would answer after so many events. */
function after(count: number): LiveSession {
  let state = NOT_STARTED;
  for (let n = 1; n <= count; n++) state = foldEvent(state, change(n).event, n);
  return state;
}

test('wherever a snapshot comes between the events, and however often, the state is that of a fresh one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 40 }),
      fc.array(fc.tuple(fc.nat(40), fc.nat(40)), { minLength: 1, maxLength: 6 }),
      (count, asked) => {
        const sessions = new LiveSessions();
        // A snapshot is of the moment it was asked at, and arrives later: events overtake it.
        const snapshots = asked.map(
          ([at, late]) => [Math.min(at, count), Math.min(at + late, count)] as const,
        );
        for (let n = 0; n <= count; n++) {
          if (n > 0) sessions.event(`boot-${n}`, change(n));
          for (const [at, arrives] of snapshots)
            if (arrives === n) {
              sessions.forget(ID);
              for (let missed = at + 1; missed <= n; missed++)
                sessions.event(`boot-${missed}`, change(missed));
              sessions.snapshot(ID, after(at), `boot-${at}`);
            }
        }
        expect(sessions.get(ID)).toEqual(after(count));
      },
    ),
  );
});

test('a session that nobody runs has no state, whatever was told of it', () => {
  const sessions = new LiveSessions();
  sessions.event('boot-1', change(1));
  expect(sessions.get(ID)).toBeNull();
  sessions.snapshot(ID, null, 'boot-1');
  sessions.event('boot-2', change(2));
  expect(sessions.get(ID)).toBeNull();
});
