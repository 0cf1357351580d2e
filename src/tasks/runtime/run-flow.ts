import type { Claim } from '../../backlog/scheduler.ts';
import { flowConfig } from '../../config/runtime/flow-config.ts';
import { ConflictError, errorMessage, NotFoundError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { withoutKeys } from '../../kernel/key-shapes.ts';
import { money } from '../../kernel/words.ts';
import type { ManifestBody } from '../../manifest/definition.ts';
import { BY_PERSON } from '../../manifest/origin.ts';
import { finalState } from '../../orchestrator/final-state.ts';
import { Orchestrator } from '../../orchestrator/orchestrator.ts';
import type { ExecuteOptions, OrchestratorServices } from '../../orchestrator/services.ts';
import type { SessionState } from '../../orchestrator/state/session-state.ts';
import { isFinal } from '../../orchestrator/state/status.ts';
import type { DeliveryLater, DeliveryPort } from '../../workers/services.ts';
import { RemoteUnreachableError } from '../../workspace/remote/remote-git.ts';
import { GitHubError } from '../github/errors.ts';
import type { PreparedTree } from '../prepare/prepared.ts';
import { findingsOf, researchInputs } from '../research/research-run.ts';
import type { TaskRuntime } from '../run-task.ts';
import { evidenceLines, inspectionIn, inspectionLines } from './evidence-words.ts';
import { SessionMissingError } from './failed-release.ts';
import { flowFor, inputsFor } from './flow.ts';
import { hintSegments } from './hints.ts';
import type { SessionEnd } from './outcome.ts';
import { needsReview, reviewOf } from './review.ts';

/** Runs the flow of a task in its session: a new one, or the one that an earlier owner left. */
export async function runFlow(
  runtime: TaskRuntime,
  claim: Claim,
  prepared: PreparedTree,
  cancel: AbortSignal,
): Promise<SessionEnd> {
  const earlier = claim.continues ? stored(runtime, claim.sessionId) : undefined;
  if (earlier && needsNoRun(earlier)) return endOf(earlier);
  if (!earlier && claim.advanced) return { error: new SessionMissingError(claim.sessionId) };
  const services = servicesOf(runtime, claim, prepared);
  const flow = await playedFlow(runtime, claim);
  const orchestrator = earlier
    ? Orchestrator.open(claim.sessionId, services)
    : new Orchestrator(flow, services);
  const options = earlier ? undefined : await startOptions(runtime, claim, prepared);
  // Nothing can be interrupted that has not begun.
  if (cancel.aborted && !earlier) return { stopped: 'stopped before it began' };
  let advancing: Promise<void> | undefined;
  const unsubscribe = orchestrator.events.subscribe((event) => {
    runtime.tell({ task: claim.task.id, type: 'task.session', event });
    if (event.type === 'step.finished') advancing ??= advance(runtime, claim);
  });
  const interrupt = (): void => orchestrator.interrupt('the runtime was stopped');
  cancel.addEventListener('abort', interrupt);
  try {
    const [start = ''] = Object.keys(orchestrator.manifest.nodes);
    const running = options ? orchestrator.execute(start, options) : orchestrator.resume({ takeOver: true });
    if (cancel.aborted) interrupt();
    return { state: await running };
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    const left = stored(runtime, claim.sessionId);
    return left ? { error: failure, state: finalState(left) } : { error: failure };
  } finally {
    cancel.removeEventListener('abort', interrupt);
    unsubscribe();
    await advancing;
  }
}

/** A store that cannot be written now will be missed by the lease as well. */
function advance({ scheduler, tell }: TaskRuntime, claim: Claim): Promise<void> {
  return scheduler.advance(claim).catch((error: unknown) => {
    tell({
      task: claim.task.id,
      type: 'task.noted',
      note: `its progress was not noted: ${errorMessage(error)}`,
    });
  });
}

/** The flow of a task, played by those of its agents that are here: a missing one is known before anything is begun. */
async function playedFlow(runtime: TaskRuntime, claim: Claim): Promise<ManifestBody> {
  const document = runtime.flow(claim.task);
  const needsAgents = Object.keys(document.workers ?? {}).length > 0;
  const agents = needsAgents ? await runtime.requireAgents(claim.agents) : claim.agents;
  return flowFor(document, { ...claim, agents }, runtime.settings);
}

async function startOptions(
  runtime: TaskRuntime,
  claim: Claim,
  prepared: PreparedTree,
): Promise<ExecuteOptions> {
  const { task } = claim;
  const facts = inputsFor(claim, runtime.config, prepared.taskTree.mode, runtime.instructions(task));
  const inputs =
    task.kind === 'research' ? { ...facts, ...(await researchInputs(claim, runtime.research)) } : facts;
  const notes =
    task.notes === undefined
      ? []
      : [{ id: 'notes', type: 'HUMAN_GUIDANCE', content: task.notes, origin: BY_PERSON }];
  const hints = hintSegments(await runtime.earlierFailures(task), task.id);
  return {
    goal: task.goal,
    inputs,
    sessionId: claim.sessionId,
    task: { id: task.id, run: claim.runId, ...(task.source === undefined ? {} : { source: task.source }) },
    payload: [...prepared.payload, ...hints, ...notes],
    workflow: task.kind === 'research' ? 'research-task' : `${prepared.taskTree.mode} task`,
  };
}

function servicesOf(
  runtime: TaskRuntime,
  claim: Claim,
  prepared: PreparedTree,
): OrchestratorServices & { sessions: TaskRuntime['sessions'] } {
  return {
    ...runtime.services,
    config: { ...runtime.services.config, ...flowConfig(runtime.config) },
    sessions: runtime.sessions,
    worktreePath: prepared.path,
    ...(prepared.tree ? { tree: prepared.tree } : {}),
    ...(prepared.guard ? { guard: prepared.guard } : {}),
    ...(prepared.inspection ? { inspection: prepared.inspection } : {}),
    taskTree: prepared.taskTree,
    projectDir: runtime.projectDir,
    delivery: deliveryOf(runtime, claim, prepared),
    changePlan: { addToChangePlan: (files) => extendPlan(runtime, claim, files) },
    ...(claim.task.kind === 'research' ? { findings: findingsOf(claim, runtime.research) } : {}),
  };
}

/** What a task finds that it must change belongs to its lease from then on: others wait for that too. */
async function extendPlan(
  { scheduler, tell }: TaskRuntime,
  claim: Claim,
  files: readonly string[],
): Promise<void> {
  const clashes = await scheduler.extend(claim, files);
  const task = claim.task.id;
  if (!clashes)
    throw new ConflictError(`The lease of task ${task} is lost, so its change plan was not extended.`);
  for (const { kind, id, path } of clashes)
    tell({ task, type: 'task.noted', note: `${kind} ${id} may change ${path} too` });
}

/** The evidence and the cost in words, for the commit and the pull request. */
function deliveryOf(runtime: TaskRuntime, claim: Claim, prepared: PreparedTree): DeliveryPort {
  return {
    async deliver({ evidence, inspected }) {
      // Known secrets and keys never leave in words; in files they keep the work from leaving.
      const clean = (text: string) => withoutKeys(runtime.services.masker?.mask(text) ?? text);
      const [title, goal] = [clean(claim.task.title), clean(claim.task.goal)];
      const { used } = runtime.sessions.load(claim.sessionId).state;
      const cost = used.tokens === 0 ? '' : `${used.tokens} tokens, ${money(used.usd)} USD`;
      const looked = inspectionIn(inspected);
      const lines = [...evidenceLines(evidence), ...(looked ? inspectionLines(looked) : [])];
      const words = clean(lines.join('\n'));
      const request = { title, goal, evidence: words, cost, tree: evidence.tree };
      const done = await prepared.deliver(request).catch((error: unknown) => laterFor(error, Date.now()));
      if ('later' in done) return done;
      const notes = done.data?.['notes'];
      for (const note of Array.isArray(notes) ? notes : [])
        runtime.tell({ task: claim.task.id, type: 'task.noted', note: String(note) });
      return {
        review: done.review && needsReview(reviewOf(claim.task, runtime.settings), evidence),
        artifacts: done.artifacts.map(({ type, ref, data }): JsonObject & { type: string } => ({
          type,
          ref,
          ...(data ? { data } : {}),
        })),
      };
    },
  };
}

function stored({ sessions }: TaskRuntime, id: string): SessionState | undefined {
  try {
    return sessions.load(id).state;
  } catch (error) {
    // It was claimed, but its owner died before the session began.
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** The journal decides: a session that has ended is not run again, only its outcome is recorded. */
function needsNoRun({ status, halt }: SessionState): boolean {
  if (status === 'halted') return halt?.reason !== 'interrupted';
  return isFinal(status) || status === 'failed';
}

function endOf(state: SessionState): SessionEnd {
  if (state.status === 'failed')
    return { error: new Error(state.error?.message ?? 'it failed'), state: finalState(state) };
  return { state: finalState(state) };
}

/** A limit without a time, and an outage that outlasted the tries on the spot. */
const AGAIN_MS = 60_000;
const SHORTEST_MS = 1000;
const TRIES = 3;

/** When a delivery that failed may be tried again; what no time mends is thrown on. */
function laterFor(error: unknown, now: number): DeliveryLater {
  if (error instanceof GitHubError && error.problem === 'rate-limited') {
    const until = Math.max(now + SHORTEST_MS, error.resetAt ?? now + AGAIN_MS);
    return { later: { until, reason: error.message } };
  }
  const isOutage =
    error instanceof RemoteUnreachableError ||
    (error instanceof GitHubError && error.problem === 'unavailable');
  if (!isOutage) throw error;
  return { later: { until: now + AGAIN_MS, reason: error.message }, tries: TRIES };
}
