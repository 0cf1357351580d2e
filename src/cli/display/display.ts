import type { JsonEvent } from '../../api/events.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import type { Screen } from '../output.ts';
import type { Attempts } from './steps.ts';

/** Shows a running session. */
export interface Display {
  event(event: JsonEvent): void;
  /** A line that stays. */
  line(text?: string): void;
  /** Something that passes, such as a countdown. */
  waiting(text: string): void;
  /** Leaves the screen to others until `resume`, or until the next event takes it back. */
  pause(): void;
  resume(): void;
  close(): void;
}

export interface Watched {
  readonly manifest: ResolvedManifest;
  readonly attempts: Attempts;
  /** The command that answers a task of this session. */
  readonly answerWith: (task: string) => string;
}

/** A live view for a person, lines for a pipe, JSON for a program. */
export async function openDisplay(
  screen: Screen,
  watched: Watched,
  options: { json: boolean },
): Promise<Display> {
  if (options.json) return jsonDisplay(screen);
  if (screen.live) return (await import('./live.ts')).liveDisplay(screen, watched);
  return (await import('./plain.ts')).plainDisplay(screen, watched);
}

/** The events as the contract in `src/api/events.ts` describes them, one a line. */
function jsonDisplay(screen: Screen): Display {
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
