import { errorCode, errorMessage } from '../kernel/errors.ts';
import { Capture, type Captured, NOTHING } from './capture.ts';
import { Intake } from './intake.ts';
import { LogFile } from './log-file.ts';
import type { ProcessEnd, ProcessOutcome } from './outcome.ts';
import { INLINE_LIMIT, type ProcessRequest, type RunProcess } from './request.ts';
import { type StartedChild, startChild } from './start.ts';
import { waitForEnd } from './wait-for-end.ts';

/** A command that prints without end must not fill the disk before its time limit ends it. */
const MOST_LOGGED = 2 ** 30;

/**
 * Runs a program to its end. No shell is involved, the program leads its own process group, and however it
 * ends is a value. Invariants:
 * 1. Only an exception of the caller's own `onStarted` is thrown, after the process tree is gone.
 * 2. A time limit or a cancellation returns only after the process tree is gone.
 * 3. A grandchild that keeps the output open does not delay the outcome beyond a bounded moment.
 * 4. Memory does not grow with the output.
 */
export const runProcess: RunProcess = async (request) => {
  const startedAt = performance.now();
  const outcome = (end: ProcessEnd, output = NOTHING, errors = NOTHING): ProcessOutcome => ({
    ...end,
    output,
    errors,
    durationMs: performance.now() - startedAt,
  });
  if (request.cancel?.aborted) return outcome({ kind: 'cancelled' });
  let started: StartedChild;
  try {
    started = await startChild(request);
  } catch (error) {
    const code = errorCode(error) ?? 'UNKNOWN';
    return outcome({ kind: 'not-started', error: { code, message: errorMessage(error) } });
  }
  const { end, output, errors } = await follow(started, request);
  return outcome(end, output, errors);
};

interface Followed {
  readonly end: ProcessEnd;
  readonly output: Captured;
  readonly errors: Captured;
}

async function follow(started: StartedChild, request: ProcessRequest): Promise<Followed> {
  const log = request.logFile === undefined ? undefined : new LogFile(request.logFile, MOST_LOGGED);
  const { masker, inlineLimit = INLINE_LIMIT, onText } = request;
  const output = new Capture({ masker, inlineLimit, log, onText });
  const errors = new Capture({ masker, inlineLimit, log, onText });
  const intakes = [new Intake(started.output, output)];
  if (started.errors) intakes.push(new Intake(started.errors, errors));
  try {
    // Not into an output that a program reads.
    const told = started.errors ? errors : output;
    const end = await waitForEnd(started, request, (what) => told.push(Buffer.from(what)));
    await Promise.all(intakes.map((intake) => intake.finish()));
    return { end, output: output.end(), errors: errors.end() };
  } finally {
    started.output.destroy();
    started.errors?.destroy();
    log?.close();
  }
}
