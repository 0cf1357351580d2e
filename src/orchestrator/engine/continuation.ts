import { action } from '../../kernel/action.ts';
import { ConflictError, UsageError } from '../../kernel/errors.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import type { Budget } from '../../manifest/definition.ts';
import { BY_PERSON } from '../../manifest/origin.ts';
import type { Address, BlockId } from '../../manifest/resolved.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import type { Question } from '../../manifest/worker.ts';
import type { ContinuedRecord } from '../state/record.ts';
import type { SessionState } from '../state/session-state.ts';
import { isRetryable } from '../state/status.ts';
import { goTo } from './actions.ts';

export interface ContinueOptions {
  /** Becomes a HUMAN_GUIDANCE segment. */
  readonly guidance?: string;
  /** The answer to the question the session halted on. */
  readonly answer?: string;
  /** Replaces the named parts of the budget. */
  readonly budget?: Budget;
  readonly stepping?: boolean;
  /** Paths that may be changed from here on. */
  readonly allow?: readonly string[];
}

export interface ResumeOptions extends ContinueOptions {
  /** Take the session even from a process that is still alive. */
  readonly takeOver?: boolean;
}

/** How a session continues after a person said so; refuses what makes no sense in its state. */
export function continuation(
  state: SessionState,
  how: 'resume' | 'retry',
  options: ContinueOptions,
  at: number,
): ContinuedRecord {
  const target = how === 'retry' ? retryTarget(state) : resumeTarget(state, options);
  const { budget, stepping } = options;
  if (options.answer !== undefined && !state.halt?.question) {
    throw new ConflictError(`Session ${state.id} has not asked anything, so there is nothing to answer.`, {
      next: action('session.show', 'Look at it', { session: state.id }),
    });
  }
  const answer = readAnswer(state.halt?.question, options.answer);
  return {
    t: 'continued',
    how,
    next: target.next,
    ...(target.undo ? { undo: true } : target.stack === state.stack ? {} : { stack: target.stack }),
    added: guidanceSegments(state, options.guidance),
    ...(answer === undefined ? {} : { answer }),
    ...(options.allow && options.allow.length > 0 ? { allow: options.allow } : {}),
    ...(budget ? { budget: { ...state.budget, ...budget } } : {}),
    ...(stepping === undefined ? {} : { stepping }),
    ...(grants(state, how) && target.next !== null ? { granted: grantedTo(state, target.next) } : {}),
    at,
  };
}

/** A person who sends a block on in spite of its limit lets it run once more. */
function grants(state: SessionState, how: 'resume' | 'retry'): boolean {
  return how === 'retry' || state.halt?.reason === 'limit';
}

/** The block it goes on with and, where that is another one, the block whose limit it was: it tests the result. */
function grantedTo({ halt }: SessionState, next: BlockId): BlockId | readonly BlockId[] {
  return halt?.reason === 'limit' && halt.block !== null && halt.block !== next ? [next, halt.block] : next;
}

type Target = {
  readonly next: BlockId | null;
  readonly stack: readonly Address[];
  readonly undo?: boolean;
};

function resumeTarget(state: SessionState, options: ContinueOptions): Target {
  const { status, halt, stack, id } = state;
  if (status === 'running' || status === 'parked' || status === 'waiting') return { next: state.at, stack };
  if (status === 'held' && !halt) return { next: state.at, stack };
  if (status === 'failed') {
    throw new ConflictError(`Session ${id} has failed: ${state.error?.message ?? 'no reason was stored'}`, {
      next: action('session.retry', 'Correct the cause, then run the block again', { session: id }),
    });
  }
  if ((status !== 'halted' && status !== 'held') || !halt) throw ended(state);
  if (halt.reason === 'question' && options.answer === undefined) {
    const [first] = halt.question?.choices ?? [];
    throw new ConflictError(`Session ${id} waits for an answer: ${halt.message}`, {
      next: {
        ...action('session.answer', 'Answer it', {
          session: id,
          ...(first === undefined ? {} : { answer: first }),
        }),
        needs: ['answer'],
      },
    });
  }
  if (halt.resumeAt === null) return { next: null, stack };
  const { nextBlockId, returnStack } = goTo(halt.resumeAt, stack);
  return { next: nextBlockId, stack: returnStack };
}

function retryTarget(state: SessionState): Target {
  const { status, halt, error, stack, id } = state;
  if (!isRetryable(status)) throw ended(state);
  if (halt?.retry) return { next: halt.retry.at, stack: halt.retry.stack ?? stack };
  const next = status === 'failed' ? (error?.block ?? state.at) : halt?.block;
  // Here the block's own action has been performed already: the way back is where its step began.
  const undo = halt?.reason === 'step' || halt?.reason === 'rewound';
  if (next) return { next, stack, undo };
  throw new ConflictError(`Session ${id} has not run a block yet, so there is none to retry.`, {
    next: action('session.resume', 'Resume it', { session: id }),
  });
}

function ended(state: SessionState): ConflictError {
  return new ConflictError(`Session ${state.id} is ${state.status}; there is nothing to continue.`, {
    next: action('session.show', 'Look at it', { session: state.id }),
  });
}

function readAnswer(question: Question | undefined, answer: string | undefined): string | undefined {
  if (answer === undefined || !question?.choices) return answer;
  const chosen = question.choices.find((choice) => choice.toLowerCase() === answer.trim().toLowerCase());
  if (chosen !== undefined) return chosen;
  throw new UsageError(`"${answer}" is not one of the choices.${didYouMean(answer, question.choices)}`, {
    next: `Choose one of: ${question.choices.join(', ')}.`,
  });
}

/** What a person said, as the next worker finds it; an empty text is said too. */
export function guidanceSegments(state: SessionState, guidance: string | undefined): ContextSegment[] {
  if (guidance === undefined) return [];
  let n = 1;
  while (state.history.knows(`${state.step}.guidance.${n}`)) n++;
  const id = `${state.step}.guidance.${n}`;
  return [{ id, type: 'HUMAN_GUIDANCE', content: guidance, origin: BY_PERSON }];
}
