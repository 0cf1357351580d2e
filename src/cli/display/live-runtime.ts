import { createLogUpdate } from 'log-update';
import { visibleLine } from '../../kernel/visible.ts';
import type { JsonTaskEvent } from '../../project/runtime/task-event.ts';
import type { Screen } from '../output.ts';
import { BELL, FRAME_MS, FRAMES } from './frames.ts';
import { type RuntimeDisplay, type RuntimeView, taskLine, taskWords } from './runtime.ts';
import { Attempts, finishedLine } from './steps.ts';
import { failureLines } from './task-board.ts';
import { atWork, type WorkedTask, workedLines, workedTask } from './worked-tasks.ts';

const DEFAULT_ROWS = 24;
/** Wide enough for the blocks of the shipped flows, which are not known before they run. */
const BLOCK_WIDTH = 28;
const LABEL_WIDTH = 8;

/** What has happened stays as lines; below them one block of lines for each task that is at work. */
export function liveRuntimeDisplay(screen: Screen, { answerWith }: RuntimeView): RuntimeDisplay {
  const update = createLogUpdate(process.stdout);
  const tasks = new Map<string, WorkedTask>();
  const attempts = new Map<string, Attempts>();
  let timer: NodeJS.Timeout | undefined;
  let frame = 0;

  const view = () => ({ style: screen.style, columns: screen.columns, answerWith });
  const draw = (): void => {
    if (tasks.size === 0) return;
    const rows = (process.stdout.rows ?? DEFAULT_ROWS) - 1;
    const looks = { ...view(), rows, mark: FRAMES[frame] ?? '' };
    update(visibleLine(workedLines([...tasks.values()], looks, performance.now()).join('\n')));
  };
  const turn = (): void => {
    frame = (frame + 1) % FRAMES.length;
    draw();
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
    update.clear();
  };
  const keep = (text: string): void => {
    update.clear();
    screen.line(text);
    draw();
  };

  /** What stays to be read of a session's event; undefined: the block below shows it. */
  const staying = (event: Extract<JsonTaskEvent, { type: 'task.session' }>): string[] => {
    const { task, event: inner } = event;
    if (inner.type === 'task.interaction') process.stdout.write(BELL);
    if (inner.type === 'budget.near') return [screen.style.yellow(`! ${inner.message}`)];
    if (inner.type !== 'step.finished') return [];
    const counts = attempts.get(task) ?? new Attempts();
    attempts.set(task, counts);
    const which = counts.next(inner.entry.block);
    if (inner.entry.ran) counts.finished(inner.entry.block);
    const live = tasks.get(task)?.live;
    const board = { ...view(), answerWith: (id: string) => answerWith(live?.session ?? '', id) };
    return [
      finishedLine(inner.entry, which, {
        style: screen.style,
        width: BLOCK_WIDTH,
        most: screen.columns - LABEL_WIDTH,
      }),
      ...failureLines(live?.tasks ?? [], board, performance.now()),
    ];
  };

  return {
    event(event) {
      const { task } = event;
      if (event.type === 'task.claimed') tasks.set(task, workedTask(event.claim, performance.now()));
      const known = tasks.get(task);
      if (known) tasks.set(task, atWork(known, event, performance.now()));
      if (tasks.size > 0) timer ??= setInterval(turn, FRAME_MS);
      const lines = event.type === 'task.session' ? staying(event) : [taskWords(screen, event) ?? ''];
      const isOver = event.type === 'task.released' || event.type === 'task.skipped';
      if (isOver) {
        tasks.delete(task);
        attempts.delete(task);
      }
      for (const line of lines)
        if (line !== '') keep(taskLine(screen, task, line.replaceAll('\n', `\n${' '.repeat(LABEL_WIDTH)}`)));
      if (isOver && tasks.size === 0) stop();
    },
    line: keep,
    close() {
      tasks.clear();
      stop();
      update.done();
    },
  };
}
