import type { PastFailure } from '../backlog/history.ts';
import type { Release } from '../backlog/release.ts';
import type { Runtimes } from '../backlog/runtimes.ts';
import type { Claim, Scheduler } from '../backlog/scheduler.ts';
import type { Task } from '../backlog/task.ts';
import type { RuntimeConfig } from '../config/runtime/load.ts';
import type { RuntimeSettings } from '../config/runtime/settings.ts';
import { UsageError } from '../kernel/errors.ts';
import type { ManifestBody } from '../manifest/definition.ts';
import type { EngineEvent } from '../orchestrator/events.ts';
import type { OrchestratorServices } from '../orchestrator/services.ts';
import type { SessionManager } from '../orchestrator/state/session-manager.ts';
import type { GuardDecision } from './lock/queue-guard.ts';
import type { CloseOptions, Prepare } from './prepare/prepared.ts';
import { prepareResearch, type ResearchOptions } from './research/research-run.ts';
import { LeaseKeeper } from './runtime/lease-keeper.ts';
import { releaseOf, type SessionEnd } from './runtime/outcome.ts';
import { patiently } from './runtime/patience.ts';
import type { RequireAgents } from './runtime/require-agents.ts';
import { runFlow } from './runtime/run-flow.ts';

/** Everything a task is run with. */
export interface TaskRuntime {
  readonly settings: RuntimeSettings;
  readonly config: RuntimeConfig;
  readonly projectDir: string;
  readonly scheduler: Scheduler;
  readonly runtimes: Runtimes;
  readonly sessions: SessionManager;
  readonly services: OrchestratorServices;
  /** Undefined when another process has it. */
  readonly lock: (claim: Claim) => Promise<{ release(): Promise<void> } | undefined>;
  /** Whether what was claimed is still to be run here. */
  readonly guard: (claim: Claim, held: { readonly lockHeld: boolean }) => Promise<GuardDecision>;
  /** What all runs together may use; absent: nobody counts. */
  readonly spending?: TaskSpending;
  readonly prepare: Prepare;
  readonly requireAgents: RequireAgents;
  /** Refuses a budget that nobody could hold for those who play the task. */
  readonly requireBudget?: (claim: Claim) => void;
  readonly flow: (task: Task) => ManifestBody;
  readonly instructions: (task: Task) => string;
  readonly research: ResearchOptions;
  /** Paths that a recovery allowed are the task's own from then on. */
  readonly remember: (task: Task, allowedPaths: readonly string[]) => Promise<void>;
  /** Failed attempts that the next one should know of. */
  readonly earlierFailures: (task: Task) => Promise<readonly PastFailure[]>;
  /** Frees the files of sessions that have ended without saying so: tasks would wait for them. */
  readonly tidy: () => Promise<void>;
  readonly tell: (event: TaskRuntimeEvent) => void;
}

export interface TaskSpending {
  /** What everything waits for when nothing more may be used; then nothing is claimed. */
  full(): Promise<string | undefined>;
  /** Reserves what the task may use; otherwise says what it waits for. */
  begin(task: Task): Promise<string | undefined>;
  end(task: Task): Promise<void>;
}

export type TaskRuntimeEvent = { readonly task: string } & (
  | { readonly type: 'task.claimed'; readonly claim: Claim }
  | { readonly type: 'task.skipped'; readonly reason: string }
  /** What was found or put right before the first step, or at the delivery. */
  | { readonly type: 'task.noted'; readonly note: string }
  /** One step of the run. */
  | { readonly type: 'task.step'; readonly step: 'lock' | 'prepare' | 'flow' | 'record' | 'release' }
  | { readonly type: 'task.session'; readonly event: EngineEvent }
  | { readonly type: 'task.released'; readonly release: Release; readonly counted: boolean }
);

/** How long a task rests that another process on this machine is still at. */
const LOCKED_MS = 30_000;
/** How long one rests that does not fit into what all runs may use: a person may raise it at any time. */
const UNFIT_MS = 60_000;

/**
 * One run of a claimed task. Invariants:
 * 1. The lock is taken before anything else, and released last, whatever happened in between.
 * 2. The lease is renewed while the task runs; once it is lost nothing is written for the task.
 * 3. However the flow ends, the task is released exactly once, with its evidence.
 */
export async function runTask(
  runtime: TaskRuntime,
  claim: Claim,
  stop: AbortSignal,
): Promise<Release | undefined> {
  const { scheduler, tell } = runtime;
  const task = claim.task.id;
  tell({ task, type: 'task.step', step: 'lock' });
  const lock = await lockGuarded(runtime, claim);
  if (!lock) return undefined;
  const lease = new LeaseKeeper(scheduler, claim);
  try {
    if (!(await fits(runtime, claim))) return undefined;
    const end = await workOn(runtime, claim, AbortSignal.any([stop, lease.lost]));
    tell({ task, type: 'task.step', step: 'record' });
    const { coolDownMs: restMs, repository } = runtime.settings;
    const mode = claim.task.mode ?? repository.mode;
    const release = releaseOf(end.session, { restMs, inPlace: mode === 'direct' });
    const counted =
      !lease.lost.aborted && (await patiently(() => scheduler.release(claim, release), claim.leaseMs));
    tell({ task, type: 'task.released', release, counted });
    if (counted) await rememberPaths(runtime, claim.task, release);
    await end.close(counted ? release : await endedMeanwhile(runtime, claim));
    return counted ? release : undefined;
  } finally {
    await runtime.spending?.end(claim.task);
    tell({ task, type: 'task.step', step: 'release' });
    await lease.stop();
    await lock.release();
  }
}

/** Whether what the task may use still fits; otherwise it is put back in line and rests. */
async function fits({ spending, scheduler, tell }: TaskRuntime, claim: Claim): Promise<boolean> {
  const waitsFor = await spending?.begin(claim.task);
  if (waitsFor === undefined) return true;
  tell({ task: claim.task.id, type: 'task.skipped', reason: `it waits for ${waitsFor}` });
  await scheduler.release(claim, { state: 'queued', reason: waitsFor, restMs: UNFIT_MS, waitsFor });
  return false;
}

/** Cancelled or removed while it ran: nobody else removes what it worked in. */
async function endedMeanwhile({ guard }: TaskRuntime, claim: Claim): Promise<Ended | undefined> {
  const now = await guard(claim, { lockHeld: false });
  return now.do === 'skip' && now.state === 'cancelled' ? { state: 'cancelled' } : undefined;
}

type Ended = Pick<Release, 'state'>;

/** The lock of a task that is to be run here; a delivery that is not does nothing but give its claim back. */
async function lockGuarded(
  { lock, guard, scheduler, tell }: TaskRuntime,
  claim: Claim,
): Promise<{ release(): Promise<void> } | undefined> {
  const taken = await lock(claim);
  const decision = await guard(claim, { lockHeld: taken === undefined }).catch(async (error: unknown) => {
    await taken?.release();
    throw error;
  });
  if (decision.do === 'run') return taken;
  const { reason } = decision;
  tell({ task: claim.task.id, type: 'task.skipped', reason });
  if (decision.do === 'rest' || decision.do === 'requeue') {
    await scheduler.release(claim, { state: 'queued', reason, restMs: LOCKED_MS, waitsFor: reason });
  }
  await taken?.release();
  return undefined;
}

interface Worked {
  readonly session: SessionEnd;
  close(release: Ended | undefined): Promise<void>;
}

/** Prepares the tree and runs the flow in it; whatever goes wrong is an end like any other. */
async function workOn(runtime: TaskRuntime, claim: Claim, cancel: AbortSignal): Promise<Worked> {
  const { tell, prepare } = runtime;
  const task = claim.task.id;
  try {
    tell({ task, type: 'task.step', step: 'prepare' });
    runtime.requireBudget?.(claim);
    const isResearch = claim.task.kind === 'research';
    const prepared = await (isResearch ? prepareResearch(claim, runtime.research) : prepare(claim, cancel));
    for (const note of prepared.notes ?? []) tell({ task, type: 'task.noted', note });
    tell({ task, type: 'task.step', step: 'flow' });
    const session = await runFlow(runtime, claim, prepared, cancel);
    return {
      session,
      close: async (release) => (release ? prepared.close(closing(release)) : undefined),
    };
  } catch (error) {
    const close = nothingToClose;
    if (cancel.aborted) return { session: { stopped: 'stopped while it was prepared' }, close };
    return { session: { error: error instanceof Error ? error : new Error(String(error)) }, close };
  }
}

const nothingToClose = (): Promise<void> => Promise.resolve();

/** Whether its tree is still needed: whether anybody continues, judges or corrects it. */
function closing({ state }: Ended): CloseOptions {
  return { ended: state === 'done' || state === 'cancelled', cancelled: state === 'cancelled' };
}

async function rememberPaths(runtime: TaskRuntime, task: Task, { state, outcome }: Release): Promise<void> {
  const allowed = outcome?.['allowed'];
  if (state === 'done' || !Array.isArray(allowed) || task.allowedPaths.length === 0) return;
  const added = allowed.filter(
    (path): path is string => typeof path === 'string' && !task.allowedPaths.includes(path),
  );
  if (added.length === 0) return;
  await runtime.remember(task, [...task.allowedPaths, ...added]).catch((error: unknown) => {
    // Somebody has claimed it again already: that run finds its own way to allow them.
    if (!(error instanceof UsageError)) throw error;
  });
}
