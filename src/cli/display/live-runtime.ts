import { visibleLine } from '../../kernel/visible.ts';
import type { JsonTaskEvent } from '../../project/runtime/task-event.ts';
import type { Screen } from '../output.ts';
import { BELL } from './frames.ts';
import { liveBlock } from './live-block.ts';
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
  const tasks = new Map<string, WorkedTask>();
  const attempts = new Map<string, Attempts>();

  const view = () => ({ style: screen.style, columns: screen.columns, answerWith });
  const block = liveBlock(screen, (mark) => {
    if (tasks.size === 0) return undefined;
    const rows = (process.stdout.rows ?? DEFAULT_ROWS) - 1;
    return visibleLine(
      workedLines([...tasks.values()], { ...view(), rows, mark }, performance.now()).join('\n'),
    );
  });

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
      if (tasks.size > 0) block.run();
      const lines = event.type === 'task.session' ? staying(event) : [taskWords(screen, event) ?? ''];
      const isOver = event.type === 'task.released' || event.type === 'task.skipped';
      if (isOver) {
        tasks.delete(task);
        attempts.delete(task);
      }
      for (const line of lines)
        if (line !== '')
          block.keep(taskLine(screen, task, line.replaceAll('\n', `\n${' '.repeat(LABEL_WIDTH)}`)));
      if (isOver && tasks.size === 0) block.stop();
    },
    line: block.keep,
    close() {
      tasks.clear();
      block.close();
    },
  };
}
