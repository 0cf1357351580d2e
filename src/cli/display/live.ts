import { foldEvent, NOT_STARTED } from '../../api/live.ts';
import { shortenIds } from '../../kernel/short-ids.ts';
import { visibleLine } from '../../kernel/visible.ts';
import { clip, duration, oneLine } from '../../kernel/words.ts';
import type { Screen } from '../output.ts';
import type { Display, Watched } from './display.ts';
import { BELL } from './frames.ts';
import { liveBlock } from './live-block.ts';
import { nameAndFacts } from './narrow.ts';
import { finishedLine, widestBlock, withReason } from './steps.ts';
import { boardLines, failureLines, lastLine } from './task-board.ts';

/** Finished steps stay as lines; below them the running block with its time and its last line of output. */
export function liveDisplay(screen: Screen, { manifest, attempts, answerWith }: Watched): Display {
  const { cyan, dim } = screen.style;
  const layout = { style: screen.style, width: widestBlock(manifest), most: screen.width };
  let live = NOT_STARTED;
  let attempt = 1;
  /** What it waits for. */
  let reason = '';

  const boardView = () => ({ style: screen.style, columns: screen.columns, answerWith });
  const block = liveBlock(screen, (mark) => {
    const { running, tasks } = live;
    if (!running) return undefined;
    const now = performance.now();
    const { step, worker, since, tail } = running;
    const again = attempt > 1 ? ` (attempt ${attempt})` : '';
    const head = nameAndFacts(
      {
        lead: `${mark} ${String(step).padStart(3)}  `,
        name: running.block.padEnd(layout.width),
        facts: `${worker} ${duration(now - since)}${again}`,
      },
      { columns: screen.columns, lead: (text) => cyan(mark) + dim(text.slice(mark.length)), facts: dim },
    );
    const output = tasks.length > 0 ? '' : lastLine(tail);
    const below = output === '' ? [] : [dim(`       ${clip(output, screen.columns - 8)}`)];
    const lines = [...head, ...below, ...boardLines(tasks, boardView(), now)];
    return visibleLine(shortenIds(lines.join('\n')));
  });
  const { keep, stop } = block;

  return {
    event(event) {
      live = foldEvent(live, event, performance.now());
      switch (event.type) {
        case 'task.interaction':
          process.stdout.write(BELL);
          return undefined;
        case 'step.started':
          attempt = attempts.next(event.block);
          block.run();
          return block.draw();
        case 'step.finished': {
          const which = attempts.next(event.entry.block);
          if (event.entry.ran) attempts.finished(event.entry.block);
          const failures = failureLines(live.tasks, boardView(), performance.now());
          return keep([finishedLine(event.entry, which, layout), ...failures].join('\n'));
        }
        case 'budget.near':
          return keep(screen.style.yellow(`! ${event.message}`));
        case 'session.waiting':
          return keep(cyan(`waits: ${oneLine(event.waiting.message)}`));
        case 'session.parked':
          reason = oneLine(event.reason);
          return stop();
        case 'session.halted':
        case 'session.completed':
        case 'session.failed':
        case 'session.aborted':
          return stop();
        default:
          return undefined;
      }
    },
    line: (text = '') => keep(text),
    waiting: (text) => block.show(cyan(withReason(text, reason))),
    pause: stop,
    resume() {
      if (live.running) block.run();
    },
    close: block.close,
  };
}
