import type { BaselineResult, CheckRun } from './baseline.ts';

/** How one run of a command ended. */
export interface OneRun extends CheckRun {
  readonly durationMs: number;
}

/** What is known about a command before it is blamed or believed. */
export interface KnownRuns {
  /** How it ended on the files before the work. */
  readonly base?: Pick<BaselineResult, 'color' | 'flaky' | 'signature'> | undefined;
  /** It was red and green on the same files earlier in this session. */
  readonly marked: boolean;
  /** It was red on these very files before. */
  readonly redHere: boolean;
  /** The files are those that the base was seen on. */
  readonly untouched: boolean;
}

export interface SettledRuns<T> {
  /** `flaky`: red and green on the same files, so neither a failure nor a proof. */
  readonly verdict: 'green' | 'red' | 'flaky';
  /** The run that tells most: the red one of a flake. */
  readonly decisive: T;
  /** Every run, in order. */
  readonly runs: readonly CheckRun[];
}

/** A red that took no longer is always run again before somebody is blamed, where it was green before the work. */
const QUICK_MS = 2 * 60_000;

/**
 * Runs a command until it is known what it says about the files, at most three times. A red is run again before blame
 * where it was green before or is known to be flaky; what is known to be flaky must be green twice. A flake of the
 * base, by its signature, is not the work's: two greens after it are believed.
 */
export async function settleRuns<T>(
  once: () => Promise<T>,
  read: (ran: T) => OneRun,
  knownOf: (ran: T) => KnownRuns,
): Promise<SettledRuns<T>> {
  const first = await once();
  const known = knownOf(first);
  const one = read(first);
  if (one.color === 'green') {
    if (known.redHere) return settled('flaky', first, [RED_BEFORE, one]);
    if (!isKnownFlaky(known)) return settled('green', first, [one]);
    const second = await once();
    const two = read(second);
    return two.color === 'green'
      ? settled('green', second, [one, two])
      : settled('flaky', second, [one, two]);
  }
  if (!isWorthAnotherRun(one, known)) return settled('red', first, [one]);
  const second = await once();
  const two = read(second);
  if (two.color === 'red') return settled('red', second, [one, two]);
  if (known.base?.flaky !== true || known.base.signature !== one.signature)
    return settled('flaky', first, [one, two]);
  const third = await once();
  const three = read(third);
  return three.color === 'green'
    ? settled('green', third, [one, two, three])
    : settled('flaky', third, [one, two, three]);
}

/** Whether a red of the untouched files is run again: it may have been a flake before anybody came. */
export function isWorthChecking({ color, exitCode, durationMs }: OneRun): boolean {
  return color === 'red' && exitCode !== null && durationMs <= QUICK_MS;
}

function isKnownFlaky({ base, marked }: Pick<KnownRuns, 'base' | 'marked'>): boolean {
  return marked || base?.flaky === true;
}

/** In words: `red, green`. */
export function runsInWords(runs: readonly CheckRun[]): string {
  return runs.map(({ color }) => color).join(', ');
}

const RED_BEFORE: CheckRun = { color: 'red', exitCode: null, signature: null };

function isWorthAnotherRun(run: OneRun, known: KnownRuns): boolean {
  // What was ended or never started says nothing that a second run would change.
  if (run.exitCode === null) return false;
  if (isKnownFlaky(known)) return true;
  return known.base?.color === 'green' && (known.untouched || run.durationMs <= QUICK_MS);
}

function settled<T>(
  verdict: SettledRuns<T>['verdict'],
  decisive: T,
  runs: readonly CheckRun[],
): SettledRuns<T> {
  return {
    verdict,
    decisive,
    runs: runs.map(({ color, exitCode, signature }) => ({ color, exitCode, signature })),
  };
}
