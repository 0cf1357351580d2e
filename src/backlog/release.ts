import type { JsonObject } from '../kernel/json.ts';
import { type FailureCategory, mayRetry, quotaDelayMs } from './retries.ts';
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
        readonly block: 'awaiting_judge' | 'needs_rework';
        readonly failureCode?: string;
        readonly waitsFor?: string;
      }
    /** `agent` is out of quota: every task that needs it waits with this one. */
    | {
        readonly state: 'blocked';
        readonly block: 'quota_wait';
        /** Not before; the task's own growing delay may be longer. */
        readonly until: number;
        readonly agent?: string;
        /** Where it is no agent that is waited for. */
        readonly waitsFor?: string;
      }
    | { readonly state: 'failed'; readonly failureCode: string; readonly category: FailureCategory }
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
}

export interface ReleaseRules {
  readonly at: number;
  /** How long a failed task rests before it is tried again. */
  readonly coolDownMs: number;
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
export function changeOf(task: Released, release: Release, { at, coolDownMs }: ReleaseRules): StateChange {
  const { reason, notes } = release;
  const base = { reason, at, ...(notes === undefined ? {} : { notes }) };
  switch (release.state) {
    case 'done':
      return { ...base, to: 'done', session: null, failureCode: null, quotaHits: 0 };
    case 'cancelled':
      return { ...base, to: 'cancelled', session: null };
    case 'queued': {
      const { restMs, waitsFor } = release;
      const wait = waitsFor === undefined ? {} : { waitsFor };
      return { ...base, to: 'queued', ...wait, ...(restMs === undefined ? {} : wakesAt(at + restMs)) };
    }
    case 'failed': {
      const { failureCode } = release;
      const failed = { ...base, to: 'failed', session: null, failureCode, quotaHits: 0 } as const;
      if (!mayRetry(release.category, task.attempts)) return failed;
      return { ...failed, waitsFor: 'its next attempt, after a rest', ...wakesAt(at + coolDownMs) };
    }
    default:
      return blockedChange(task, release, base);
  }
}

function blockedChange(
  task: Released,
  release: Extract<Release, { state: 'blocked' }>,
  base: Pick<StateChange, 'reason' | 'at' | 'notes'>,
): StateChange {
  if (release.block === 'quota_wait') {
    const { agent } = release;
    const waitsFor = agent === undefined ? (release.waitsFor ?? 'quota') : `quota of ${agent}`;
    const until = base.at + quotaDelayMs(task.id, task.quotaHits, release.until - base.at);
    const quotaHits = task.quotaHits + 1;
    return { ...base, to: 'blocked', block: 'quota_wait', waitsFor, ...wakesAt(until), quotaHits };
  }
  const usual =
    release.block === 'awaiting_judge' ? "a person's verdict" : 'a person who reads why, and requeues it';
  return {
    ...base,
    to: 'blocked',
    block: release.block,
    waitsFor: release.waitsFor ?? usual,
    session: null,
    quotaHits: 0,
    failureCode: release.failureCode ?? null,
  };
}

function wakesAt(until: number): Pick<StateChange, 'until' | 'wakeAt'> {
  return { until, wakeAt: until };
}
