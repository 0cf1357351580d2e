import { readFileSync } from 'node:fs';
import { flowConfig } from '../../config/runtime/flow-config.ts';
import { loadRuntime } from '../../config/runtime/load.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { WorkflowManifest } from '../../manifest/definition.ts';
import type { WorkerContext, WorkerFunction, WorkerRun } from '../../manifest/worker.ts';
import type { FinalState } from '../../orchestrator/final-state.ts';
import { Orchestrator } from '../../orchestrator/orchestrator.ts';
import type { VerificationReport } from '../../verification/report.ts';
import type { VerificationSettings } from '../../verification/rules.ts';
import type { TaskFacts } from '../../verification/task-facts.ts';
import type { TaskTree } from '../../verification/task-tree.ts';
import { createTreeFingerprint } from '../../workspace/tree-fingerprint.ts';
import type { WorkerServices } from '../services.ts';

/** Runs the shipped flow of a task on a real tree, with scripted agents; not part of the package. */

/** One run of an agent: what it does to the files, and how it ends. */
export type AgentStep = ((run: WorkerRun) => string | void) | undefined;

export interface FlowRun {
  readonly orchestrator: Orchestrator;
  readonly state: FinalState;
  /** Names of the blocks that ran, without their nodes. */
  readonly path: readonly string[];
  readonly coder: readonly WorkerContext[];
  readonly judge: readonly WorkerContext[];
  readonly planner: readonly WorkerContext[];
  readonly delivered: readonly { readonly evidence: VerificationReport }[];
}

export interface FlowOptions {
  readonly tree: TaskTree;
  readonly projectDir: string;
  readonly task?: Partial<TaskFacts>;
  readonly rules?: VerificationSettings;
  /** The runs of the Coder in order; later ones do nothing. */
  readonly coder?: readonly AgentStep[];
  /** What the judge answers, in order. */
  readonly judge?: readonly string[];
  /** What the planner of checks answers, in order. */
  readonly planner?: readonly string[];
  readonly services?: Partial<Omit<WorkerServices, 'tree'>>;
  readonly visits?: { readonly [block: string]: number };
}

export async function runFlow(workflow: string, options: FlowOptions): Promise<FlowRun> {
  const { tree, projectDir, task, rules = {}, services } = options;
  const coder = scripted(options.coder ?? []);
  const judge = scripted((options.judge ?? []).map((text) => () => text));
  const planner = scripted((options.planner ?? []).map((text) => () => text));
  const delivered: FlowRun['delivered'][number][] = [];
  const delivery: WorkerServices['delivery'] = {
    async deliver(work) {
      delivered.push(work);
      return { artifacts: [{ type: 'commit', ref: 'abc' }], review: true };
    },
  };
  const fingerprint = createTreeFingerprint(tree.root);
  const orchestrator = new Orchestrator(manifestOf(workflow, options.visits ?? {}), {
    workers: { Coder: coder.worker, PolicyJudge: judge.worker, CheckPlanner: planner.worker },
    config: flowConfig(loadRuntime({}, {})),
    worktreePath: tree.root,
    tree: { identity: () => fingerprint.fingerprint() },
    taskTree: tree,
    projectDir,
    delivery,
    ...services,
  });
  const facts = {
    id: 't1',
    title: 'Do it',
    goal: 'Do it',
    allowedPaths: ['src/**'],
    deniedPaths: [],
    ...task,
  };
  const inputs = {
    task: { expectedFiles: [], commands: [], role: 'worker', mode: tree.mode, ...facts },
    rules: { autoVerifyMode: 'off', ...rules } as JsonObject,
    instructions: 'Work carefully.',
  };
  const state = await orchestrator.execute('Work', { goal: 'Do it', inputs });
  const ran = state.trail.filter((entry) => entry.ran).map(({ block }) => block.split('__')[1] ?? block);
  return {
    orchestrator,
    state,
    path: ran,
    coder: coder.calls,
    judge: judge.calls,
    planner: planner.calls,
    delivered,
  };
}

function manifestOf(workflow: string, visits: { readonly [block: string]: number }): WorkflowManifest {
  const file = new URL(`../../../workflows/${workflow}.json`, import.meta.url);
  const text = readFileSync(file, 'utf8');
  return JSON.parse(text, (key, value: unknown) => {
    const limit = visits[key];
    return limit === undefined || typeof value !== 'object' ? value : { ...value, limits: { visits: limit } };
  }) as WorkflowManifest;
}

/** An agent that does its steps in turn. What a step gives is its signal, or else its words. */
function scripted(steps: readonly AgentStep[]) {
  const calls: WorkerContext[] = [];
  const worker: WorkerFunction = (context, run) => {
    calls.push(context);
    const said = steps[calls.length - 1]?.(run) ?? 'Done.';
    const isSignal = said.startsWith('SIGNAL:');
    const segment = run.segment(isSignal ? 'ERROR' : 'MODEL_OUTPUT', said);
    const signal = isSignal ? said : 'SIGNAL:SUCCESS';
    return { signal, new_payload: [...context.execution_payload, segment] };
  };
  return { worker, calls };
}
