import type { Screen } from '../output.ts';
import type { Display } from './display.ts';

/** The events as the contract in `src/api/events.ts` describes them, one a line. */
export function jsonDisplay(screen: Screen): Display {
  return {
    event: (event) => screen.json(event),
    line: nothing,
    waiting: nothing,
    pause: nothing,
    resume: nothing,
    close: nothing,
  };
}

const nothing = (): void => undefined;
