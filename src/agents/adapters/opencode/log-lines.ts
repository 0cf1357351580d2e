import type { Retry } from '../stream/retry.ts';

/** The log that opencode is asked for: without it nobody learns that it sleeps, or that a command runs. */
export const OPENCODE_NOISE = /^timestamp=\S+ level=/;

const ASKS = / message=stream .*small=false/;
const FAILED = / message="stream error" .*small=false .*error\.error="(?:AI_\w+: )?((?:[^"\\]|\\.)*)"/;
const ALLOWED = / message=evaluated permission=.* action\.action=allow\b/;

/** What the log of opencode tells beside its stream. */
export class OpencodeLog {
  #toolRuns = false;

  /** A tool was allowed to run and has not been told of: it is, when it has ended. */
  get toolRuns(): boolean {
    return this.#toolRuns;
  }

  toolEnded(): void {
    this.#toolRuns = false;
  }

  /** A call of the model that failed, or that it asks the model now. It tells neither that it waits nor how long. */
  read(line: string): Retry | undefined {
    if (ALLOWED.test(line)) this.#toolRuns = true;
    const message = FAILED.exec(line)?.[1]?.replaceAll('\\"', '"');
    if (message !== undefined) {
      return { failure: { message }, pause: {}, events: [{ type: 'retrying', reason: message }] };
    }
    if (!ASKS.test(line)) return undefined;
    this.#toolRuns = false;
    return { pause: null, events: [] };
  }
}
