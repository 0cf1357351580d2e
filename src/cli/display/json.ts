import type { EngineEvent } from '../../orchestrator/events.ts';
import { nextStep } from '../errors.ts';
import type { Screen } from '../output.ts';
import type { Display } from './display.ts';

export function jsonDisplay(screen: Screen): Display {
  return {
    event: (event) => screen.json(eventJson(event)),
    line: nothing,
    waiting: nothing,
    pause: nothing,
    resume: nothing,
    close: nothing,
  };
}

const nothing = (): void => undefined;

/**
 * An event as it is written. The context of a step is left out: it repeats the history, which would make the
 * stream grow with the square of the steps; `show --step` gives it.
 */
export function eventJson(event: EngineEvent): object {
  if (event.type === 'step.started') {
    const { context: _repeated, ...rest } = event;
    return rest;
  }
  // What is clean says all that a program can read; the raw text is in the log.
  if (event.type === 'task.output') {
    const { raw: _painted, ...rest } = event;
    return rest;
  }
  if (event.type === 'session.failed') {
    const { error, ...rest } = event;
    return { ...rest, error: { message: error.message, next: nextStep(error) } };
  }
  return event;
}
