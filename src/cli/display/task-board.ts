import { choiceWords, clip, duration, oneLine } from '../../kernel/words.ts';
import type { TaskStatus } from '../../manifest/task.ts';
import type { EngineEvent } from '../../orchestrator/events.ts';
import { activityLine } from '../../project/sessions/logs/activity.ts';
import type { Style } from './style.ts';

/** Enough of the tail to find the last line in. */
const TAIL = 4096;

export interface BoardTask {
  readonly id: string;
  name: string;
  agent: string;
  status: TaskStatus;
  readonly since: number;
  endedAt: number | undefined;
  tail: string;
  /** It tells what it does; its output is not for people. */
  streams: boolean;
  tokens: number;
  usd: number;
  estimated: boolean;
  question: string | undefined;
  choices: readonly string[];
  exit: string;
  /** Why it has not done what it should; empty while nothing is known against it. */
  problem: string;
}

const MARKS: { readonly [status in TaskStatus]: string } = {
  PENDING: '·',
  RUNNING: '▸',
  WAITING_FOR_USER: '?',
  DONE: '✓',
  ERROR: '✗',
};

/** What is known of the tasks of the running step: one line each, and one more for what it waits for. */
export class TaskBoard {
  readonly #tasks = new Map<string, BoardTask>();

  /** Whether there is anything to draw. */
  get size(): number {
    return this.#tasks.size;
  }

  get(id: string): BoardTask | undefined {
    return this.#tasks.get(id);
  }

  event(event: EngineEvent, now = performance.now()): void {
    if (event.type === 'step.started') this.#tasks.clear();
    if (!('task' in event)) return;
    const task = this.#task(event.task, now);
    switch (event.type) {
      case 'task.started':
        task.name = event.name;
        task.agent = event.agent;
        return;
      case 'task.output':
        if (!task.streams) task.tail = (task.tail + event.clean).slice(-TAIL);
        return;
      case 'task.activity': {
        // What it says about itself reads better than the stream it says it in.
        task.streams = true;
        task.tail = activityLine(event.event) ?? task.tail;
        return;
      }
      case 'task.usage':
        task.tokens += event.usage.tokens ?? 0;
        task.usd += event.usage.usd ?? 0;
        task.estimated ||= event.estimated;
        return;
      case 'task.interaction':
        task.question = event.question;
        task.choices = event.choices;
        return;
      case 'task.status': {
        task.status = event.status;
        if (event.status !== 'WAITING_FOR_USER') task.question = undefined;
        const { code, signal } = event.exit;
        task.exit = code ? `exit code ${code}` : (signal ?? '');
        task.problem = event.problem ?? '';
        if (event.status === 'DONE' || event.status === 'ERROR') task.endedAt = now;
        return;
      }
      default:
        return;
    }
  }

  /** Those that wait for a person stand out and say how to answer. */
  lines(view: BoardView, now = performance.now()): string[] {
    return this.#linesOf([...this.#tasks.values()], view, now);
  }

  /** What stays to be read of a step that has ended: the tasks that did not end well, and why. */
  failures(view: BoardView): string[] {
    return this.#linesOf([...this.#tasks.values()].filter(hasFailed), view, performance.now());
  }

  #linesOf(tasks: readonly BoardTask[], { style, columns, answerWith }: BoardView, now: number): string[] {
    const width = Math.max(0, ...tasks.map((task) => label(task).length));
    return tasks.flatMap((task) => {
      const head = `      ${paintMark(task, style)} ${label(task).padEnd(width)}  ${style.dim(facts(task, now))}`;
      if (task.status === 'WAITING_FOR_USER') {
        return [
          head,
          style.yellow(
            `        ${clip(`asks: ${oneLine(task.question ?? '')}${choiceWords(task.choices)}`, columns - 9)}`,
          ),
          style.yellow(`        ${answerWith(task.id)}`),
        ];
      }
      const last = task.status === 'RUNNING' ? lastLine(task.tail) : oneLine(task.problem) || task.exit;
      return last === '' ? [head] : [head, style.dim(`        ${clip(last, columns - 9)}`)];
    });
  }

  #task(id: string, now: number): BoardTask {
    const known = this.#tasks.get(id);
    if (known && !(known.endedAt !== undefined && known.status === 'PENDING')) return known;
    const task: BoardTask = {
      id,
      name: id,
      agent: '',
      status: 'PENDING',
      since: now,
      endedAt: undefined,
      tail: '',
      streams: false,
      tokens: 0,
      usd: 0,
      estimated: false,
      question: undefined,
      choices: [],
      exit: '',
      problem: '',
    };
    this.#tasks.set(id, task);
    return task;
  }
}

export interface BoardView {
  readonly style: Style;
  readonly columns: number;
  /** The command that answers a task. */
  readonly answerWith: (task: string) => string;
}

function label({ id, name, agent }: BoardTask): string {
  const shown = name === id ? id : `${id} (${name})`;
  return agent === '' ? shown : `${shown} ${agent}`;
}

/** Status, time, tokens and money, in one line. */
export function facts(task: BoardTask, now = performance.now()): string {
  const words = [task.status.toLowerCase().replaceAll('_', ' ')];
  if (task.status !== 'PENDING') words.push(duration((task.endedAt ?? now) - task.since));
  if (task.tokens > 0) words.push(`${thousands(task.tokens)} tokens`);
  if (task.usd > 0) words.push(`${task.estimated ? '~' : ''}$${task.usd.toFixed(task.usd < 0.1 ? 4 : 2)}`);
  return words.join(', ');
}

function thousands(n: number): string {
  return n < 10_000 ? String(n) : `${(n / 1000).toFixed(n < 100_000 ? 1 : 0)}k`;
}

/** A process that has ended is `DONE`, also one that was blocked or failed: only this tells them apart. */
function hasFailed({ status, problem }: BoardTask): boolean {
  return status === 'ERROR' || (status === 'DONE' && problem !== '');
}

function paintMark(task: BoardTask, style: Style): string {
  if (hasFailed(task)) return style.red(MARKS.ERROR);
  const { status } = task;
  const mark = MARKS[status];
  if (status === 'DONE') return style.green(mark);
  return status === 'WAITING_FOR_USER' ? style.yellow(style.bold(mark)) : style.cyan(mark);
}

export function lastLine(tail: string): string {
  const lines = tail.split(/[\r\n]+/).map(oneLine);
  return lines.findLast((line) => line !== '') ?? '';
}
