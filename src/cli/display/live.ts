import { createLogUpdate } from 'log-update';
import { clip, duration, oneLine } from '../../kernel/words.ts';
import type { Screen } from '../output.ts';
import type { Display, Watched } from './display.ts';
import { finishedLine, widestBlock } from './steps.ts';
import { lastLine, TaskBoard } from './task-board.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;
const BELL = '\u0007';
/** Enough of the tail to find the last line in. */
const TAIL = 4096;

interface Running {
  readonly step: number;
  readonly block: string;
  readonly worker: string;
  readonly attempt: number;
  readonly since: number;
  tail: string;
}

/** Finished steps stay as lines; below them the running block with its time and its last line of output. */
export function liveDisplay(screen: Screen, { manifest, attempts, answerWith }: Watched): Display {
  const { cyan, dim } = screen.style;
  const layout = { style: screen.style, width: widestBlock(manifest) };
  const update = createLogUpdate(process.stdout);
  const board = new TaskBoard();
  let running: Running | undefined;
  let timer: NodeJS.Timeout | undefined;
  let frame = 0;

  const boardView = () => ({ style: screen.style, columns: screen.columns, answerWith });
  const draw = (): void => {
    if (!running) return;
    frame = (frame + 1) % FRAMES.length;
    const { step, block, worker, attempt, since } = running;
    const again = attempt > 1 ? ` (attempt ${attempt})` : '';
    const head = `${cyan(FRAMES[frame] ?? '')} ${dim(String(step).padStart(3))}  ${block.padEnd(layout.width)}  ${dim(`${worker} ${duration(performance.now() - since)}${again}`)}`;
    const output = board.size > 0 ? '' : lastLine(running.tail);
    const below = output === '' ? [] : [dim(`       ${clip(output, screen.columns - 8)}`)];
    update([head, ...below, ...board.lines(boardView())].join('\n'));
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

  return {
    event(event) {
      board.event(event);
      switch (event.type) {
        case 'task.interaction':
          process.stdout.write(BELL);
          return undefined;
        case 'step.started': {
          const { step, block, worker } = event;
          running = {
            step,
            block,
            worker,
            attempt: attempts.next(block),
            since: performance.now(),
            tail: '',
          };
          timer ??= setInterval(draw, FRAME_MS);
          return draw();
        }
        case 'step.output':
          if (running) running.tail = (running.tail + event.text).slice(-TAIL);
          return undefined;
        case 'step.finished': {
          const attempt = attempts.next(event.entry.block);
          if (event.entry.ran) attempts.finished(event.entry.block);
          running = undefined;
          return keep(
            [finishedLine(event.entry, attempt, layout), ...board.failures(boardView())].join('\n'),
          );
        }
        case 'session.waiting':
          return keep(cyan(`waits: ${oneLine(event.waiting.message)}`));
        case 'session.halted':
        case 'session.parked':
        case 'session.completed':
        case 'session.failed':
        case 'session.aborted':
          running = undefined;
          return stop();
        default:
          return undefined;
      }
    },
    line: (text = '') => keep(text),
    waiting: (text) => update(cyan(text)),
    pause: stop,
    resume() {
      if (running) timer ??= setInterval(draw, FRAME_MS);
    },
    close() {
      stop();
      update.done();
    },
  };
}
