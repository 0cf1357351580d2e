import type { JsonObject } from '../kernel/json.ts';
import { WAITED_FOR, type WaitCause } from '../kernel/wait-cause.ts';
import {
  countFailure,
  type FailureClass,
  type FailureCounts,
  mayRetry,
  nextStepOf,
  quotaDelayMs,
  type RetryLimits,
  restAfterMs,
} from './retries.ts';
import type { StateChange } from './states.ts';
import type { RunState } from './words.ts';

/** A recorded product of a run; the same type and ref of a run is recorded once. */
export interface Artifact {
  readonly type: string;
  readonly ref: string;
  readonly data?: JsonObject;
}

interface Ending {
  /** Why, in words for the list of events. */
  readonly reason: string;
  /** Evidence and cost, kept with the run. */
  readonly outcome?: JsonObject;
  readonly artifacts?: readonly Artifact[];
  /** For the next attempt. */
  readonly notes?: string;
  /** Otherwise what goes with the state: success, failed or cancelled. */
  readonly runState?: Exclude<RunState, 'running'>;
}

/** What becomes of a claimed task. */
export type Release = Ending &
  (
    | { readonly state: 'done' }
    | {
        readonly state: 'blocked';
        readonly block: 'awaiting_judge';
        readonly failureCode?: string;
        readonly waitsFor?: string;
      }
    | {
        readonly state: 'blocked';
        readonly block: 'needs_rework';
        readonly failureCode?: string;
        /** Taken up again by itself as often as this allows. */
        readonly failureClass: FailureClass;
        /** A person looks first, whatever the class allows. */
        readonly byPerson?: true;
        readonly waitsFor?: string;
      }
    /** `agent` cannot work: every task that needs it waits with this one. */
    | {
        readonly state: 'blocked';
        readonly block: 'quota_wait';
        readonly cause: WaitCause;
        /** Not before; the task's own growing delay may be longer. */
        readonly until: number;
        readonly agent?: string;
        /** Where it is no agent that is waited for. */
        readonly waitsFor?: string;
      }
    | { readonly state: 'failed'; readonly failureCode: string; readonly failureClass: FailureClass }
    /** Given back: the next run continues the same session and counts as the same attempt. */
    | {
        readonly state: 'queued';
        /** Nobody claims it for so long. */
        readonly restMs?: number;
        readonly waitsFor?: string;
      }
    | { readonly state: 'cancelled' }
  );

/** What a release decides by: the task as it is stored, the store's time and the configured rest. */
export interface Released {
  readonly id: string;
  readonly attempts: number;
  readonly quotaHits: number;
  readonly failures: FailureCounts;
}

export interface ReleaseRules extends RetryLimits {
  readonly at: number;
  /** How long a failed task rests before it is tried again. */
  readonly coolDownMs: number;
  /** How long one rests that needs rework. */
  readonly reworkMs: number;
}

/** How a run ended, by what became of its task. */
export function runStateOf(release: Release): RunState {
  if (release.runState) return release.runState;
  switch (release.state) {
    case 'done':
      return 'success';
    case 'failed':
      return 'failed';
    case 'blocked':
      return release.block === 'awaiting_judge' ? 'success' : 'failed';
    default:
      return 'cancelled';
  }
}

/** The change of state that a release comes to. A run that got through without a quota hit ends the row of hits. */
export function changeOf(task: Released, release: Release, rules: ReleaseRules): StateChange {
  const { at } = rules;
  const { reason, notes } = release;
  const base = { reason, at, ...(notes === undefined ? {} : { notes }) };
  switch (release.state) {
    case 'done':
      return { ...base, to: 'done', session: null, failureCode: null, quotaHits: 0, ...NO_FAILURE };
    case 'cancelled':
      return { ...base, to: 'cancelled', session: null };
    case 'queued': {
      const { restMs, waitsFor } = release;
      const wait = waitsFor === undefined ? {} : { waitsFor };
      return { ...base, to: 'queued', ...wait, ...(restMs === undefined ? {} : wakesAt(at + restMs)) };
    }
    case 'failed':
      return { ...base, to: 'failed', ...failureChange(task, release, rules) };
    default:
      return blockedChange(task, release, base, rules);
  }
}

const NO_FAILURE = { failureClass: null, failures: {} } as const;

/** What every failed attempt comes to: its class decides whether and when it is tried again, and what comes next. */
function failureChange(
  task: Released,
  release: Extract<Release, { readonly failureClass: FailureClass }>,
  rules: ReleaseRules,
) {
  const { failureClass, failureCode = null } = release;
  const failures = countFailure(task.failures, failureClass);
  const failed = { session: null, quotaHits: 0, failureCode, failureClass, failures } as const;
  const isRework = release.state === 'blocked';
  const { byPerson = false, waitsFor = nextStepOf(failureClass) } = isRework ? release : {};
  if (byPerson || !mayRetry(failureClass, failures, rules)) return { ...failed, waitsFor };
  const rest = isRework ? rules.reworkMs : rules.coolDownMs;
  const until = rules.at + restAfterMs(failureClass, failures[failureClass] ?? 1, rest);
  return { ...failed, waitsFor: 'its next attempt, after a rest', ...wakesAt(until) };
}

function blockedChange(
  task: Released,
  release: Extract<Release, { state: 'blocked' }>,
  base: Pick<StateChange, 'reason' | 'at' | 'notes'>,
  rules: ReleaseRules,
): StateChange {
  const blocked = { ...base, to: 'blocked', block: release.block } as const;
  if (release.block === 'quota_wait') {
    const { agent, cause } = release;
    const what = WAITED_FOR[cause];
    const waitsFor = agent === undefined ? (release.waitsFor ?? what) : `${what} of ${agent}`;
    const until = base.at + quotaDelayMs(task.id, task.quotaHits, release.until - base.at);
    return { ...blocked, waitsFor, waitCause: cause, ...wakesAt(until), quotaHits: task.quotaHits + 1 };
  }
  if (release.block === 'needs_rework') return { ...blocked, ...failureChange(task, release, rules) };
  const { waitsFor = "a person's verdict", failureCode = null } = release;
  return { ...blocked, waitsFor, session: null, quotaHits: 0, failureCode, ...NO_FAILURE };
}

function wakesAt(until: number): Pick<StateChange, 'until' | 'wakeAt'> {
  return { until, wakeAt: until };
}
