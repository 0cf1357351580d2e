import type { AgentError } from '../../event.ts';
import { nextClockTime } from '../reset/when.ts';
import { agentError, type Failure } from '../stream/error-kind.ts';
import type { Retry } from '../stream/retry.ts';

const ATTEMPT = /^Attempt (\d+) failed(?: with status (\d+))?[.:] ?(.*)$/;
const LAST_ATTEMPT = /Max attempts reached/;
const SUGGESTED = /Suggested retry after (\d+(?:\.\d+)?)s|retryDelayMs: (\d+)/;
const SLEEPS = /Retrying after (\d+)ms\.\.\./;

/** What gemini prints however well it goes. */
export const GEMINI_NOISE =
  /^Warning: |^YOLO mode is enabled|^Ripgrep is not available|^\[STARTUP\]|^Loaded cached credentials/;

/** Gemini tells of its retries on standard error, in words, and of how long its provider wants it to wait. */
export class GeminiRetries {
  #suggestedMs: number | undefined;

  /** The failed attempt that a line tells of. */
  read(line: string): Retry | undefined {
    const suggested = SUGGESTED.exec(line);
    if (suggested?.[1]) this.#suggestedMs = Number(suggested[1]) * 1000;
    else if (suggested?.[2]) this.#suggestedMs = Number(suggested[2]);
    // It stands at the end of a message, which may be lines below its beginning.
    const waitMs = SLEEPS.exec(line)?.[1];
    const pause = waitMs === undefined ? {} : { pause: { ms: Number(waitMs) } };
    const attempt = ATTEMPT.exec(line);
    if (!attempt) return waitMs === undefined ? undefined : { events: [], ...pause };
    const [, number, status, rest = ''] = attempt;
    const reason = rest.replace(/^Retrying with backoff\.\.\. /, '').slice(0, 300);
    const failure = { message: reason, ...(status === undefined ? {} : { status: Number(status) }) };
    if (LAST_ATTEMPT.test(line)) return { failure, events: [] };
    return { failure, events: [{ type: 'retrying', reason, attempt: Number(number) }], ...pause };
  }

  error(failure: Failure, now: number): AgentError {
    // What a day allows is there again at midnight in California.
    const daily = /daily quota/i.test(failure.message);
    const midnight = daily ? nextClockTime(0, 0, { name: 'America/Los_Angeles' }, now) : undefined;
    const resetAt = midnight ?? (this.#suggestedMs === undefined ? undefined : now + this.#suggestedMs);
    return agentError({ ...failure, ...(resetAt === undefined ? {} : { resetAt }) }, now);
  }
}
