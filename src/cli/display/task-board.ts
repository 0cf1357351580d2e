import type { LiveStageTask } from '../../api/live.ts';
import { choiceWords, clip, duration, money, oneLine } from '../../kernel/words.ts';
import type { TaskStatus } from '../../manifest/task.ts';
import { commandLines, nameAndFacts } from './narrow.ts';
import type { Style } from './style.ts';

const MARKS: { readonly [status in TaskStatus]: string } = {
  PENDING: '·',
  RUNNING: '▸',
  WAITING_FOR_USER: '?',
  DONE: '✓',
  ERROR: '✗',
};

/** One line for each task, and one more for what it waits for; those that wait for a person say how to answer. */
export function boardLines(tasks: readonly LiveStageTask[], view: BoardView, now: number): string[] {
  const { style, columns, answerWith } = view;
  const width = Math.max(0, ...tasks.map((task) => label(task).length));
  return tasks.flatMap((task) => {
    const head = nameAndFacts(
      { lead: '      m ', name: label(task).padEnd(width), facts: facts(task, now) },
      { columns, lead: () => `      ${paintMark(task, style)} `, facts: style.dim },
    );
    if (task.status === 'WAITING_FOR_USER') {
      const asks = `asks: ${oneLine(task.question ?? '')}${choiceWords(task.choices)}`;
      return [
        ...head,
        style.yellow(`        ${clip(asks, columns - 9)}`),
        ...commandLines(answerWith(task.id), columns, '        ').map(style.yellow),
      ];
    }
    const last = task.status === 'RUNNING' ? lastLine(task.tail) : oneLine(task.problem) || exitWords(task);
    return last === '' ? head : [...head, style.dim(`        ${clip(last, columns - 9)}`)];
  });
}

/** What stays to be read of a step that has ended: the tasks that did not end well, and why. */
export function failureLines(tasks: readonly LiveStageTask[], view: BoardView, now: number): string[] {
  return boardLines(tasks.filter(hasFailed), view, now);
}

export function exitWords({ exit: { code, signal } }: LiveStageTask): string {
  return code ? `exit code ${code}` : (signal ?? '');
}

export interface BoardView {
  readonly style: Style;
  readonly columns: number;
  /** The command that answers a task. */
  readonly answerWith: (task: string) => string;
}

function label({ id, name, agent }: LiveStageTask): string {
  const shown = name === id ? id : `${id} (${name})`;
  return agent === '' ? shown : `${shown} ${agent}`;
}

/** Status, time, tokens and money, in one line. */
export function facts(task: LiveStageTask, now: number): string {
  const words = [task.status.toLowerCase().replaceAll('_', ' ')];
  // Of one whose start was not seen, as by a late watcher, nobody knows how long it took.
  const isTimed = task.endedAt === null || task.agent !== '';
  if (task.status !== 'PENDING' && isTimed) words.push(duration((task.endedAt ?? now) - task.since));
  return [...words, ...usedWords(task)].join(', ');
}

/** Tokens and money, as far as there were any. */
export function usedWords({
  tokens,
  usd,
  estimated,
}: Pick<LiveStageTask, 'tokens' | 'usd' | 'estimated'>): string[] {
  return [
    ...(tokens > 0 ? [`${thousands(tokens)} tokens`] : []),
    ...(usd > 0 ? [`${estimated ? '~' : ''}$${money(usd)}`] : []),
  ];
}

function thousands(n: number): string {
  return n < 10_000 ? String(n) : `${(n / 1000).toFixed(n < 100_000 ? 1 : 0)}k`;
}

/** A process that has ended is `DONE`, also one that was blocked or failed: only this tells them apart. */
function hasFailed({ status, problem }: LiveStageTask): boolean {
  return status === 'ERROR' || (status === 'DONE' && problem !== '');
}

function paintMark(task: LiveStageTask, style: Style): string {
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
