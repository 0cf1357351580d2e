import { foldEvent, NOT_STARTED } from '../../api/live.ts';
import { choiceWords, oneLine } from '../../kernel/words.ts';
import type { Screen } from '../output.ts';
import type { Display, Watched } from './display.ts';
import { finishedLine, widestBlock, withReason } from './steps.ts';
import { exitWords, facts } from './task-board.ts';

/** One line when a step starts and one when it ends; no cursor movement. */
export function plainDisplay(screen: Screen, { manifest, attempts, answerWith }: Watched): Display {
  const layout = { style: screen.style, width: widestBlock(manifest), most: screen.width };
  const { dim } = screen.style;
  let live = NOT_STARTED;
  const taskOf = (id: string) => live.tasks.find((task) => task.id === id);
  let lastWait = '';
  /** What it waits for. */
  let reason = '';
  const taskLine = (id: string, problem: string | undefined): void => {
    const task = taskOf(id);
    if (!task || task.status === 'WAITING_FOR_USER' || task.status === 'PENDING') return;
    const after = problem ?? exitWords(task);
    screen.line(
      dim(`  ${id}: ${facts(task, performance.now())}${after === '' ? '' : `, ${oneLine(after)}`}`),
    );
  };
  return {
    event(event) {
      const before = 'task' in event ? taskOf(event.task)?.agent : undefined;
      live = foldEvent(live, event, performance.now());
      switch (event.type) {
        case 'task.started':
          // Its status said only that it runs, and the next agent looks like the first.
          if (before && before !== event.agent)
            screen.line(dim(`  ${event.task}: ${event.agent} takes over from ${before}`));
          return undefined;
        case 'task.interaction':
          screen.line(`  ? ${event.task} asks: ${oneLine(event.question)}${choiceWords(event.choices)}`);
          return screen.line(dim(`    ${answerWith(event.task)}`));
        case 'task.status':
          return taskLine(event.task, event.problem);
        case 'step.started': {
          const attempt = attempts.next(event.block);
          const again = attempt > 1 ? `, attempt ${attempt}` : '';
          return screen.line(
            dim(`> ${String(event.step).padStart(3)}  ${event.block} (${event.worker}${again})`),
          );
        }
        case 'step.finished': {
          const attempt = attempts.next(event.entry.block);
          if (event.entry.ran) attempts.finished(event.entry.block);
          return screen.line(finishedLine(event.entry, attempt, layout));
        }
        case 'budget.near':
          return screen.line(screen.style.yellow(`! ${event.message}`));
        case 'session.parked':
          // Another wait, even where it is told in the same words.
          lastWait = '';
          reason = oneLine(event.reason);
          return undefined;
        case 'session.waiting':
          return screen.line(dim(`waits: ${oneLine(event.waiting.message)}`));
        default:
          return undefined;
      }
    },
    line: (text) => screen.line(text),
    waiting(text) {
      // A log does not need every second of a countdown.
      const said = text.replace(/\d.*$/, '');
      if (said !== lastWait) screen.line(withReason(text, reason));
      lastWait = said;
    },
    pause: () => undefined,
    resume: () => undefined,
    close: () => undefined,
  };
}
