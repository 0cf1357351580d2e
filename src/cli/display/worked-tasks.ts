import { foldEvent, type LiveSession, NOT_STARTED } from '../../api/live.ts';
import { clip, duration, oneLine } from '../../kernel/words.ts';
import type { JsonTaskEvent } from '../../project/runtime/task-event.ts';
import { nameAndFacts } from './narrow.ts';
import { taskLabel } from './runtime.ts';
import type { Style } from './style.ts';
import { boardLines, lastLine, usedWords } from './task-board.ts';

/** A task of the backlog that is at work, as it is shown. */
export interface WorkedTask {
  readonly id: string;
  readonly title: string;
  readonly since: number;
  /** What is done for it before and after its session. */
  readonly doing: string;
  readonly live: LiveSession;
}

type Claim = Extract<JsonTaskEvent, { readonly type: 'task.claimed' }>['claim'];

export function workedTask({ task: { id, title } }: Claim, since: number): WorkedTask {
  return { id, title: oneLine(title), since, doing: 'claimed', live: NOT_STARTED };
}

const DOING = {
  lock: 'taking its lock',
  prepare: 'preparing its files',
  flow: 'starting its session',
  record: 'recording what became of it',
  release: 'giving it back',
} as const;

export function atWork(task: WorkedTask, event: JsonTaskEvent, now: number): WorkedTask {
  if (event.type === 'task.step') return { ...task, doing: DOING[event.step] };
  if (event.type !== 'task.session') return task;
  return { ...task, live: foldEvent(task.live, event.event, now) };
}

export interface WorkedView {
  readonly style: Style;
  readonly columns: number;
  readonly rows: number;
  /** Before the first line of each. */
  readonly mark: string;
  readonly answerWith: (session: string, task: string) => string;
}

/** All that fits: each with its step, else each with one line, else as many as there is room for. */
export function workedLines(tasks: readonly WorkedTask[], view: WorkedView, now: number): string[] {
  const whole = tasks.flatMap((task) => [headLine(task, view, now), ...stepLines(task, view, now)]);
  if (whole.length <= view.rows) return whole;
  const heads = tasks.map((task) => headLine(task, view, now));
  if (heads.length <= view.rows) return heads;
  const room = Math.max(0, view.rows - 1);
  return [...heads.slice(0, room), view.style.dim(`  and ${heads.length - room} more at work`)];
}

/** Which task, how long it has been at work, and what it has used so far. */
function headLine({ id, title, since, live }: WorkedTask, view: WorkedView, now: number): string {
  const { cyan, dim } = view.style;
  const { tokens, usd } = live.used;
  const facts = [duration(now - since), ...usedWords({ tokens, usd, estimated: isEstimated(live) })].join(
    ', ',
  );
  const label = taskLabel(id);
  const room = view.columns - label.length - facts.length - 7;
  return `${cyan(view.mark)} ${dim(label)}  ${clip(title, Math.max(10, room))}  ${dim(facts)}`;
}

function isEstimated({ tasks }: LiveSession): boolean {
  return tasks.some(({ estimated }) => estimated);
}

function stepLines({ doing, live }: WorkedTask, view: WorkedView, now: number): string[] {
  const { dim } = view.style;
  const { running, tasks, session } = live;
  if (!running)
    return [dim(`       ${live.reason === '' ? doing : clip(oneLine(live.reason), view.columns - 8)}`)];
  const { step, block, worker, since, tail } = running;
  const head = nameAndFacts(
    { lead: `  ${String(step).padStart(3)}  `, name: block, facts: `${worker} ${duration(now - since)}` },
    { columns: view.columns, lead: dim, facts: dim },
  );
  const output = tasks.length > 0 ? '' : lastLine(tail);
  return [
    ...head,
    ...(output === '' ? [] : [dim(`       ${clip(output, view.columns - 8)}`)]),
    ...boardLines(tasks, { ...view, answerWith: (id) => view.answerWith(session ?? '', id) }, now),
  ];
}
