import type { AgentError } from '../../agents/event.ts';
import type { AgentOutcome } from '../../agents/run-agent.ts';
import type { RunnerEnd } from '../../agents/runner/runner.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { RosterEntry } from '../../manifest/definition.ts';
import { isModelName } from '../../manifest/model-name.ts';
import {
  FAILURE,
  TIMED_OUT,
  type WorkerContext,
  type WorkerResult,
  type WorkerRun,
} from '../../manifest/worker.ts';
import { answer, PASS_OR_FAIL } from '../answer.ts';
import { readReply } from '../program/reply.ts';
import type { Step } from '../step.ts';
import { agentRunSegment } from './agent-run.ts';
import { agentSandbox, loginWords } from './authority.ts';
import type { ChangeWatch } from './changed-files.ts';
import { isStructured } from './prompt.ts';
import type { JobEnd } from './run-job.ts';

const END_OF_TEXT = 4000;

/** Which signals a worker with these settings can emit by itself. */
export function signalsOf(entry: { readonly onTimeLimit?: unknown }): readonly string[] {
  return entry.onTimeLimit === 'signal' ? [...PASS_OR_FAIL, TIMED_OUT] : PASS_OR_FAIL;
}

/** Everything a finished run is judged by. */
export interface RunSurroundings {
  readonly agent: string;
  readonly worker: string;
  readonly entry: RosterEntry;
  readonly watch: ChangeWatch;
  readonly step: Step;
  /** Of a model. */
  readonly calls?: readonly JsonObject[] | undefined;
}

/** What a run of an agent means for the graph: a signal, its words, and the files it really changed. */
export async function resultOf(ended: JobEnd, around: RunSurroundings): Promise<WorkerResult> {
  const { outcome, by } = ended;
  const { agent, worker, entry, watch, step } = around;
  const { services, context, run } = step;
  noteEnd(run, context, outcome, by);
  const files = await watch.segments((text) => services.masker.contains(text));
  const isModel = isModelName(agent);
  const sandbox = isModel ? undefined : await agentSandbox(services, agent, entry.permissions);
  const login = loginWords(services, agent);
  const facts = [...files, agentRunSegment(worker, agent, outcome, { sandbox, login, calls: around.calls })];
  if (by !== 'complete' && !outcome.ok && !isLeftToChecks(outcome, by, run, files.length)) {
    const problem = { type: 'ERROR', content: whyNot(agent, outcome, by) };
    const tooLong = by === 'itself' && outcome.end.kind === 'timed-out';
    const signal = tooLong && entry.onTimeLimit === 'signal' ? TIMED_OUT : FAILURE;
    return answer(signal, context, run, ...facts, problem);
  }
  const { contract } = context;
  const onlyAnswers = isModel || (entry.permissions === 'read' && contract.answerFormat !== undefined);
  const structured = onlyAnswers ? isStructured(contract) : contract.reply.structured;
  const terms = { ...contract.reply, structured, kind: isModel ? 'model' : 'agent' } as const;
  const reply = readReply(outcome.text, services.masker, terms);
  if ('problem' in reply) {
    const problem = { type: 'ERROR', content: `The answer of ${agent} cannot be used: ${reply.problem}.` };
    return answer(FAILURE, context, run, ...facts, problem);
  }
  return answer(reply.signal, context, run, ...facts, ...reply.segments);
}

/**
 * Its last tool was denied, such as the tests that it wanted to run, but it changed files and says that it is done:
 * whether they are right is for the checks, where the workflow has them. What was denied is told with the run.
 */
export function isLeftToChecks(
  { blocked }: AgentOutcome,
  by: JobEnd['by'],
  { checked }: WorkerRun,
  changes: number,
): boolean {
  return blocked && by === 'itself' && checked === true && changes > 0;
}

/** The one task of a block that an agent runs is called as the block is in its node. */
export function taskOfBlock({ system_metadata: { block_id: block, node_id: node } }: WorkerContext): string {
  return block.slice(node.length + 2);
}

function noteEnd(run: WorkerRun, context: WorkerContext, { end }: AgentOutcome, by: JobEnd['by']): void {
  run.progress({
    type: 'task',
    task: taskOfBlock(context),
    status: 'DONE',
    exit: exitNote(end),
    ...(by === 'itself' ? {} : { by }),
  });
}

/** How a process ended, as it is noted with a task. */
export function exitNote(end: RunnerEnd): { code?: number; signal?: string } {
  if (end.kind === 'exited') return { code: end.code };
  return end.kind === 'killed' ? { signal: end.signal } : {};
}

/** Says why a run does not count, with the end of what the agent said. */
export function whyNot(agent: string, outcome: AgentOutcome, by: JobEnd['by']): string {
  const { error, denied, end } = outcome;
  const reasons: string[] = [];
  if (by === 'stop') reasons.push(`${agent} was stopped by a person.`);
  else if (end.kind === 'timed-out') reasons.push(timedOut(agent, end));
  else if (error?.kind === 'loop') reasons.push(`${agent} went round in circles: ${error.message}`);
  else if (error) reasons.push(`${agent} failed (${error.kind}): ${error.message}`, ...wayOutOf(error));
  if (denied.length > 0) reasons.push(notAllowed(denied));
  if (reasons.length === 0) reasons.push(`${agent} ${describe(end)}.`);
  const said = outcome.text.trim().slice(-END_OF_TEXT);
  return said === '' || said === error?.message.trim()
    ? reasons.join('\n')
    : `${reasons.join('\n')}\nIt said last:\n${said}`;
}

/** What only a setting cures, and which one it is. */
const WAYS_OUT = {
  model:
    'The model is set by "model" of its worker in the workflow or the configuration; without it the agent chooses one.',
  context:
    'It was given more than its model can read: hand the block less, let it begin anew ("conversation": "fresh"), or set a "model" that reads more.',
} as const;

function wayOutOf({ about }: AgentError): readonly string[] {
  return about === undefined ? [] : [WAYS_OUT[about]];
}

/** With the reason that the CLI itself gave, once for each tool. */
function notAllowed(denied: AgentOutcome['denied']): string {
  const tools = new Map(denied.map(({ tool, reason }) => [tool, firstLine(reason)]));
  const told = [...tools].map(([tool, reason]) => (reason === '' ? tool : `${tool} (${reason})`));
  return `It was not allowed to use ${told.join(', ')}: by its "permissions" in the roster, or by the person it asked.`;
}

const LONGEST_REASON = 160;

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  const words = line.replace(/[.:]$/, '');
  return words.length > LONGEST_REASON ? `${words.slice(0, LONGEST_REASON)}...` : words;
}

function timedOut(agent: string, end: Extract<RunnerEnd, { kind: 'timed-out' }>): string {
  const seconds = Math.round(end.afterMs / 1000);
  return end.limit === 'total'
    ? `${agent} was ended after ${seconds} s, its time limit ("minutes" of its worker, or "timeoutMinutes" of the configuration).`
    : `${agent} was ended after ${seconds} s without a word ("silenceMinutes" of its worker).`;
}

function describe(end: RunnerEnd): string {
  if (end.kind === 'exited') return `ended with exit code ${end.code}`;
  if (end.kind === 'killed') return `was killed by ${end.signal}`;
  return 'was stopped';
}
