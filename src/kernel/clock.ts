export interface Clock {
  /** Wall-clock milliseconds, for what a person reads. */
  now(): number;
  /** Milliseconds that never go back, for durations. */
  elapsed(): number;
}

/**
 * How long it is until a moment, at most what it is now: a wall clock that is set back lengthens no wait, and one that
 * went on while the machine slept shortens it.
 */
export function countdownTo(until: number, clock: Clock = systemClock): () => number {
  const [whole, began] = [until - clock.now(), clock.elapsed()];
  return () => Math.max(0, Math.min(until - clock.now(), whole - (clock.elapsed() - began)));
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
};
