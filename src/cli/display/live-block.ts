import { createLogUpdate } from 'log-update';
import type { Screen } from '../output.ts';
import { FRAME_MS, FRAMES } from './frames.ts';

/** The lines at the end of the screen that are drawn again and again, below those that stay. */
export interface LiveBlock {
  /** Draws now; and from now on with every turn, once `run` was called. */
  readonly draw: () => void;
  readonly run: () => void;
  /** Something else in its place, until it is drawn again. */
  readonly show: (text: string) => void;
  /** A line that stays, above it. */
  readonly keep: (text: string) => void;
  /** Takes it away; the next `run` brings it back. */
  readonly stop: () => void;
  readonly close: () => void;
}

/** `content` gives the lines for a mark that turns; undefined: there is nothing to draw. */
export function liveBlock(screen: Screen, content: (mark: string) => string | undefined): LiveBlock {
  const update = createLogUpdate(process.stdout);
  let timer: NodeJS.Timeout | undefined;
  let frame = 0;
  const draw = (): void => {
    const text = content(FRAMES[frame] ?? '');
    if (text !== undefined) update(text);
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
  return {
    draw,
    stop,
    run: () => {
      timer ??= setInterval(turn, FRAME_MS);
    },
    show: (text) => update(text),
    keep: (text) => {
      update.clear();
      screen.line(text);
      draw();
    },
    close: () => {
      stop();
      update.done();
    },
  };
}
