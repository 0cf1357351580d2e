import type { Clock } from '../../kernel/clock.ts';
import { LoopwrightError } from '../../kernel/errors.ts';
import { type Doubt, Suspended, type Worker, type WorkerRun } from '../../manifest/worker.ts';
import type { History } from '../state/history.ts';
import type { Assembled } from './assemble-context.ts';
import type { Outcome } from './outcome.ts';
import { BadSegmentError, reconcile } from './reconcile.ts';
import { stampOrigins } from './stamp-origins.ts';
import type { StepControl } from './step-control.ts';

/** A cancelled worker gets this long to end its processes; then the step ends without it. */
const CANCEL_GRACE_MS = 10_000;

export interface WorkerCall {
  readonly name: string;
  readonly worker: () => Worker;
  readonly assembled: Assembled;
  readonly run: WorkerRun;
  readonly control: StepControl;
  readonly history: History;
  readonly clock: Clock;
}

/** The worker answered, but not with a signal and a payload. */
class BadAnswerError extends LoopwrightError {}

/** Runs one worker to an outcome; nothing a worker does throws past here. */
export async function runWorker(call: WorkerCall): Promise<Outcome> {
  const { control, clock } = call;
  const began = clock.elapsed();
  const answer = await Promise.race([answerOf(call), control.givenUp(CANCEL_GRACE_MS)]);
  control.end();
  const ms = Math.max(0, Math.round(clock.elapsed() - began - control.waitedMs));
  // What was paid for and came in full counts, although it spent the last of the budget.
  const spent = control.cause?.kind === 'budget' || control.cause?.kind === 'cap';
  if (spent && answer?.kind === 'answered') return { ...answer, ms };
  if (control.cause || !answer) return { kind: 'stopped', cause: control.cause ?? { kind: 'lost' }, ms };
  return answer.kind === 'suspended' ? answer : { ...answer, ms };
}

async function answerOf(call: WorkerCall): Promise<Outcome> {
  try {
    const worker = call.worker();
    const answer: unknown = await worker.run(call.assembled.context, call.run);
    const { signal, payload } = readAnswer(call.name, answer);
    const { added, dropped } = reconcile(call.history, call.assembled.merged, payload);
    const { block_id: block } = call.assembled.context.system_metadata;
    const stamped = stampOrigins(added, { block, name: call.name, kind: worker.kind });
    const doubt = readDoubt(answer);
    return {
      kind: 'answered',
      signal,
      added: stamped,
      dropped,
      ...(doubt === undefined ? {} : { doubt }),
      ms: 0,
    };
  } catch (error) {
    if (error instanceof Suspended) return { kind: 'suspended', reason: error.reason };
    return { kind: 'threw', error: readable(call.name, error), added: [], ms: 0 };
  }
}

function readAnswer(name: string, answer: unknown): { signal: string; payload: readonly unknown[] } {
  if (typeof answer !== 'object' || answer === null) {
    throw new BadAnswerError(
      `Worker ${name} answered with ${answer === null ? 'null' : typeof answer}.`,
      SHAPE,
    );
  }
  const signal = 'signal' in answer ? answer.signal : undefined;
  const payload = 'new_payload' in answer ? answer.new_payload : undefined;
  if (typeof signal !== 'string' || signal === '') {
    throw new BadAnswerError(`Worker ${name} answered without a signal.`, SHAPE);
  }
  if (!Array.isArray(payload)) {
    throw new BadAnswerError(`Worker ${name} emitted ${signal} without a new_payload.`, SHAPE);
  }
  return { signal, payload };
}

/** A worker that is not type-checked may say anything. */
function readDoubt(answer: unknown): Doubt | null | undefined {
  const doubt: unknown = (answer as { readonly doubt?: unknown }).doubt;
  if (doubt === null) return null;
  if (typeof doubt !== 'object' || !('why' in doubt) || !('kind' in doubt)) return undefined;
  const { kind, why } = doubt;
  if ((kind !== 'flaky' && kind !== 'unproven') || typeof why !== 'string') return undefined;
  return { kind, why };
}

const SHAPE = { next: 'A worker answers { signal: "SIGNAL:...", new_payload: [segments] }.' };

/** The original error is kept when it is one; anything else thrown is wrapped so that it has a message. */
function readable(name: string, error: unknown): Error {
  if (error instanceof BadSegmentError) {
    return new BadAnswerError(
      `Worker ${name} returned a payload that cannot be used: ${error.message}.`,
      SHAPE,
    );
  }
  return error instanceof Error ? error : new LoopwrightError(`Worker ${name} threw ${String(error)}.`);
}
