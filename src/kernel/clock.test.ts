import { expect, it } from 'vitest';
import { countdownTo } from './clock.ts';

function clockAt(wall: number) {
  const time = { wall, steady: 0 };
  return { time, clock: { now: () => time.wall, elapsed: () => time.steady } };
}

it('a countdown is not lengthened by a wall clock that is set back', () => {
  const { time, clock } = clockAt(10_000);
  const left = countdownTo(70_000, clock);
  expect(left()).toBe(60_000);
  time.wall = -1_000_000;
  time.steady = 50_000;
  expect(left()).toBe(10_000);
  time.steady = 70_000;
  expect(left()).toBe(0);
});

it('a countdown is over when the machine slept through it', () => {
  const { time, clock } = clockAt(0);
  const left = countdownTo(60_000, clock);
  time.wall = 3_600_000;
  expect(left()).toBe(0);
});
