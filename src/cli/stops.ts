import type { Screen } from './output.ts';

const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type StopSignal = keyof typeof CODES;

export interface StopActions {
  readonly interrupt: () => void;
  /** Must not wait for anything. */
  readonly lastWord: (exitCode: number) => void;
}

/**
 * Ctrl-C and its relatives while a session runs. The first ends the running block and leaves the session
 * resumable; the second ends this process at once, after one last word.
 */
export class Stops {
  readonly #abort = new AbortController();
  readonly #end: () => void;
  #code: number | undefined;

  constructor(screen: Screen, { interrupt, lastWord }: StopActions) {
    const request = (): void => {
      interrupt();
      this.#abort.abort();
    };
    const listeners = (Object.keys(CODES) as StopSignal[]).map((name): (() => void) => {
      const listener = (): void => {
        if (this.#code !== undefined) endAtOnce(this.#code, lastWord);
        this.#code = CODES[name];
        request();
      };
      process.on(name, listener);
      return () => process.off(name, listener);
    });
    // Nobody reads the output now, as after `| head`: the work would continue unseen.
    listeners.push(screen.onClosed(request));
    this.#end = () => {
      for (const remove of listeners) remove();
    };
  }

  get requested(): boolean {
    return this.#abort.signal.aborted;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get exitCode(): number | undefined {
    return this.#code;
  }

  close(): void {
    this.#end();
  }
}

function endAtOnce(code: number, lastWord: (exitCode: number) => void): never {
  try {
    lastWord(code);
  } finally {
    process.exit(code);
  }
}
