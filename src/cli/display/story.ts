import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { age, clip, duration, money, oneLine } from '../../kernel/words.ts';
import { stateWord } from '../../project/backlog/task-words.ts';
import type { Story } from '../../project/backlog/tasks.ts';
import type { Style } from '../display/style.ts';

type Run = Story['runs'][number];
type TaskEvent = Story['events'][number];

/** What stands behind a finding, its rule, must still be seen. */
const LONGEST_EVIDENCE = 400;

/** The story of a task on one screen: what was asked, what was done, what was proven, what it waits for. */
export function storyLines(task: Story, style: Style, now = Date.now()): string[] {
  const { bold, dim, yellow } = style;
  const field = (name: string, value: string): string => `${dim(name.padEnd(9))} ${oneLine(value)}`;
  return [
    bold(oneLine(task.title)),
    field('task', task.id),
    field('state', stateWords(task)),
    ...(task.waitsFor === undefined ? [] : [yellow(field('waits for', waitWords(task, now)))]),
    ...(task.goal === task.title ? [] : [field('goal', clip(task.goal, 160))]),
    field('kind', `${task.kind}, ${task.role}${task.mode === undefined ? '' : `, ${task.mode}`}`),
    ...(task.allowedPaths.length === 0 ? [] : [field('may touch', task.allowedPaths.join(', '))]),
    ...(task.notes === undefined ? [] : [field('notes', clip(task.notes, 160))]),
    ...task.runs.flatMap((run) => ['', ...runLines(run, leftBy(run, task), style, now)]),
    ...(task.artifacts.length === 0 ? [] : ['', dim('products')]),
    ...new Set(task.artifacts.map(({ type, ref }) => `  ${type}  ${oneLine(ref)}`)),
    ...new Set(task.artifacts.flatMap(({ data }) => distrustWords(listOf(data, 'distrusted'), yellow))),
  ];
}

/** An agent may have written them: a person should look before git runs them in their name. */
function distrustWords(paths: readonly string[], paint: (text: string) => string): string[] {
  if (paths.length === 0) return [];
  return [
    paint(
      `  ! hooks were not run: look at these of .git, which changed meanwhile: ${oneLine(paths.join(', '))}`,
    ),
  ];
}

function stateWords(task: Story): string {
  const mark = isMarked(task) ? ', suspicious' : '';
  const code = task.failureCode === undefined ? '' : `, ${task.failureCode}`;
  const kind = task.failureClass === undefined ? '' : ` (${task.failureClass})`;
  return `${stateWord(task)}${mark}${code}${kind}`;
}

/** The newest run left something that a person must answer for. */
function isMarked({ runs }: Story): boolean {
  const left = runs.at(-1)?.outcome?.['suspicious'];
  const found = isJsonObject(left) && Array.isArray(left['found']) ? left['found'] : [];
  return found.some((one) => isJsonObject(one) && one['weight'] === 'hard');
}

function waitWords({ waitsFor = '', waitsUntil }: Story, now: number): string {
  return waitsUntil === undefined
    ? waitsFor
    : `${waitsFor}, until ${new Date(waitsUntil).toLocaleString()} (in ${duration(Math.max(0, waitsUntil - now))})`;
}

/** The change of state by which the task left a run. */
function leftBy({ epoch }: Run, { events }: Story): TaskEvent | undefined {
  return events.find((event) => event.epoch === epoch && event.state !== 'running');
}

/** A run that was left to continue later has neither failed nor been cancelled, though nothing came of it yet. */
function runWord({ state }: Run, left: TaskEvent | undefined): string {
  if (left?.blockReason === 'quota_wait') return 'parked';
  return left?.state === 'queued' && state !== 'success' ? 'given back' : state;
}

function runLines(run: Run, left: TaskEvent | undefined, { dim, cyan }: Style, now: number): string[] {
  const took = duration((run.finishedAt ?? now) - run.startedAt);
  const used = isJsonObject(run.outcome?.['used']) ? run.outcome['used'] : {};
  const cost =
    Number(used['tokens'] ?? 0) === 0
      ? ''
      : `, ${Number(used['tokens'])} tokens, ${money(Number(used['usd'] ?? 0))} USD`;
  const said = outcomeOf(run)?.['reason'];
  const cameToNothing = run.state === 'failed' || run.state === 'cancelled';
  const reason = typeof said === 'string' ? said : cameToNothing ? left?.reason : undefined;
  return [
    `${cyan(`attempt ${run.attempt}`)} ${runWord(run, left)}, ${took}${cost}, ${age(now - run.startedAt)} by ${run.agentId}`,
    dim(`  session ${run.sessionId}`),
    ...(reason === undefined ? [] : [`  ${clip(oneLine(reason), 160)}`]),
    ...listOf(run.outcome, 'allowed').map((path) => `  path allowed on the way: ${path}`),
    ...listOf(run.outcome, 'discarded').map((path) => `  undone, not needed: ${path}`),
    ...listOf(outcomeOf(run), 'dropped').map((what) => `  dropped: ${clip(oneLine(what), 150)}`),
    ...run.evidence.map((line) => `  ${clip(oneLine(line), LONGEST_EVIDENCE)}`),
  ];
}

function outcomeOf(run: Run | undefined): JsonObject | undefined {
  const outcome = run?.outcome?.['outcome'];
  return isJsonObject(outcome) ? outcome : undefined;
}

function listOf(outcome: JsonObject | undefined, key: string): string[] {
  const list = outcome?.[key];
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : [];
}
