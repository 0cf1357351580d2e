import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import type { BlockDefinition, ManifestBody, NodeDefinition } from '../definition.ts';
import { findPlaceholders } from '../placeholders.ts';
import { type ProblemReport, quote } from '../problem.ts';
import { describeIssue, pathSteps } from '../shape/issues.ts';
import {
  type GateName,
  RUN_STAGE,
  type StageDefinition,
  type StageWorkflow,
  type WorkflowTask,
} from './definition.ts';
import { stageWorkflowShape } from './shape.ts';

const PIPELINE_NODE = 'Pipeline';

/** Whether the document is a pipeline rather than a graph. */
export function isStageWorkflow(document: JsonObject): boolean {
  return 'stages' in document && !('nodes' in document) && !isNode(document.stages);
}

/** Checks a pipeline and writes the graph that it means: one block per stage. Undefined when something is wrong. */
export function compileStages(document: JsonObject, report: ProblemReport): ManifestBody | undefined {
  const parsed = stageWorkflowShape.safeParse(document);
  for (const issue of parsed.error?.issues ?? []) {
    report.error(
      { path: pathSteps(issue.path) },
      taskOf(document, issue.path) + describeIssue(issue, document),
    );
  }
  if (!parsed.success) return undefined;
  const workflow: StageWorkflow = parsed.data;
  checkNames(workflow, report);
  checkPrompts(workflow, report);
  return report.hasErrors ? undefined : graphOf(workflow);
}

function graphOf(workflow: StageWorkflow): ManifestBody {
  const { stages, budget, description } = workflow;
  const gates = [...new Set(workflow.gates ?? [])];
  const [first] = gates;
  const end = first === undefined ? 'RETURN' : `JUMP:${gateBlock(first)}`;
  const names = stages.map(stageName);
  const blocks = stages.map((stage, index) => {
    const next = names[index + 1];
    return blockOf(workflow, stage, next === undefined ? end : `JUMP:${next}`);
  });
  return {
    ...(description === undefined ? {} : { description }),
    ...(budget ? { budget } : {}),
    ...(gates.length === 0 ? {} : { gates: gates.map(gateBlock) }),
    nodes: {
      [PIPELINE_NODE]: {
        entry_block: names[0] ?? '',
        blocks: Object.fromEntries(names.map((name, index) => [name, blocks[index] as BlockDefinition])),
      },
      ...(first === undefined ? {} : { [GATES_NODE]: gatesNode(gates) }),
    },
  };
}

const GATES_NODE = 'Gates';
const INSPECT = 'InspectTests';

const GATES: { readonly [name in GateName]: { readonly block: string; readonly worker: string } } = {
  test: { block: 'Test', worker: 'Internal:TestRunner' },
  lint: { block: 'Lint', worker: 'Internal:RunLinter' },
  build: { block: 'Build', worker: 'Internal:RunBuilder' },
};

function gateBlock(gate: GateName): string {
  return `${GATES_NODE}__${GATES[gate].block}`;
}

/** The checks after the last stage. Nobody is left to repair what they find, so a red one stops for a person. */
function gatesNode(gates: readonly GateName[]): NodeDefinition {
  const blocks = gates.map((gate, index): [string, BlockDefinition] => {
    const next = gates[index + 1];
    const { block, worker } = GATES[gate];
    const transitions = [
      {
        on_signal: 'SIGNAL:SUCCESS',
        action: next === undefined ? `JUMP:${GATES_NODE}__${INSPECT}` : `JUMP:${gateBlock(next)}`,
      },
      { on_signal: 'SIGNAL:FAILURE', action: 'HALT_AND_FLAG' },
    ];
    return [block, { worker, transitions }];
  });
  const inspect: BlockDefinition = {
    description: 'Green counts only if the checks are still what they were.',
    worker: 'Internal:InspectTests',
    // Nobody is left to mend it.
    with: { mend: false },
    transitions: [
      { on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' },
      { on_signal: 'SIGNAL:SUSPICIOUS', action: 'HALT_AND_FLAG' },
    ],
  };
  return { entry_block: blocks[0]?.[0] ?? '', blocks: Object.fromEntries([...blocks, [INSPECT, inspect]]) };
}

/** A stage that did not end well stops for a person, unless the workflow says to walk on. */
function blockOf(workflow: StageWorkflow, stage: StageDefinition, onward: string): BlockDefinition {
  const concurrency = stage.concurrency ?? workflow.concurrency;
  const continues = stage.continueOnFailure ?? workflow.continueOnFailure ?? false;
  return {
    ...(stage.description === undefined ? {} : { description: stage.description }),
    worker: RUN_STAGE,
    with: {
      tasks: stage.tasks as unknown as JsonObject[],
      ...(concurrency === undefined ? {} : { concurrency }),
    },
    transitions: [
      { on_signal: 'SIGNAL:SUCCESS', action: onward },
      { on_signal: 'SIGNAL:FAILURE', action: continues ? onward : 'HALT_AND_FLAG' },
    ],
  };
}

function stageName(stage: StageDefinition, index: number): string {
  return stage.id ?? `Stage${index + 1}`;
}

function checkNames({ stages }: StageWorkflow, report: ProblemReport): void {
  const taken = new Set<string>();
  const named = new Set<string>();
  for (const [index, stage] of stages.entries()) {
    const name = stageName(stage, index);
    if (named.has(name))
      report.error({ path: ['stages', index, 'id'] }, `There are two stages named ${quote(name)}.`);
    named.add(name);
    for (const [place, task] of stage.tasks.entries()) {
      const path = ['stages', index, 'tasks', place];
      if (taken.has(task.id)) {
        report.error(
          { path: [...path, 'id'] },
          `There are two tasks with the id ${quote(task.id)}; each needs its own.`,
        );
      }
      taken.add(task.id);
      const problem = headlessWithoutPrompt(task);
      if (problem) report.error({ path: [...path, 'prompt'] }, problem);
    }
  }
}

/** A headless agent without a prompt would wait for nothing, or do nothing. A blank one counts as none. */
export function headlessWithoutPrompt(task: WorkflowTask): string | undefined {
  if (task.executionMode !== 'headless' || (task.prompt ?? '').trim() !== '') return undefined;
  return `Task ${quote(task.id)} is headless and has no prompt; give it one, or make it interactive.`;
}

/** What a prompt takes over must come from an earlier stage. */
function checkPrompts({ stages }: StageWorkflow, report: ProblemReport): void {
  const all = new Set(stages.flatMap((stage) => stage.tasks.map((task) => task.id)));
  const earlier = new Set<string>();
  for (const [index, stage] of stages.entries()) {
    for (const [place, task] of stage.tasks.entries()) {
      for (const { text, root, keys } of findPlaceholders(task.prompt ?? '')) {
        if (root !== 'tasks') continue;
        const from = keys.slice(0, -1).join('.');
        if (earlier.has(from)) continue;
        const why = all.has(from)
          ? `task ${quote(from)} is not in an earlier stage`
          : `there is no task ${quote(from)}`;
        report.error(
          { path: ['stages', index, 'tasks', place, 'prompt'] },
          `Task ${quote(task.id)} uses ${text}, but ${why}.${didYouMean(from, [...earlier])}`,
        );
      }
    }
    for (const task of stage.tasks) earlier.add(task.id);
  }
}

/** `Task "a": `, when the place lies in one that has an id. */
function taskOf(document: JsonObject, path: readonly PropertyKey[]): string {
  const [, stage, , place] = path;
  if (path[0] !== 'stages' || typeof stage !== 'number' || typeof place !== 'number') return '';
  const stages: unknown = document.stages;
  const tasks: unknown =
    Array.isArray(stages) && isJsonObject(stages[stage]) ? stages[stage]['tasks'] : undefined;
  const task: unknown = Array.isArray(tasks) ? tasks[place] : undefined;
  const name = isJsonObject(task) && typeof task['id'] === 'string' ? task['id'] : String(place);
  const last = path.at(-1);
  const field = path.at(-2);
  const entry = typeof last === 'number' && typeof field === 'string' ? `, ${field}[${last}]` : '';
  return `Task ${quote(name)}${entry}: `;
}

function isNode(value: unknown): boolean {
  return isJsonObject(value) && 'entry_block' in value;
}
