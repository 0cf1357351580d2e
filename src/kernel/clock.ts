export interface Clock {
  /** Wall-clock milliseconds, for what a person reads. */
  now(): number;
  /** Milliseconds that never go back, for durations. */
  elapsed(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
};
