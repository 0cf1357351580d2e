import { type Action, advise } from '../../kernel/action.ts';
import { LoopwrightError } from '../../kernel/errors.ts';
import { GitLockedError } from '../git/git-locks.ts';

export type RefusalReason =
  | 'base-unknown'
  | 'branch-unknown'
  | 'wrong-branch'
  | 'no-worktree'
  | 'unmerged'
  | 'uncommitted'
  | 'conflict'
  | 'dirty-checkout'
  | 'base-moved'
  | 'rewritten'
  | 'not-delivered'
  | 'hook'
  | 'no-identity'
  | 'locked'
  | 'git-too-old'
  | 'unrelated';

/** Why the work was not delivered. Base branch, checkout and worktree are as they were. */
export interface Refused {
  readonly kind: 'refused';
  readonly reason: RefusalReason;
  readonly message: string;
  readonly next: Action;
  /** The files it is about. */
  readonly files: readonly string[];
  /** What a hook or git said. */
  readonly output: string;
}

/** Carries a refusal up to the one place that hands it out as a value. */
export class Refusal extends LoopwrightError {
  override readonly kind = 'conflict';
  readonly refused: Refused;

  constructor(
    reason: RefusalReason,
    message: string,
    next: string | Action,
    more: { readonly files?: readonly string[]; readonly output?: string } = {},
  ) {
    super(message, { next });
    const nextAction = typeof next === 'string' ? advise(next) : next;
    this.refused = {
      kind: 'refused',
      reason,
      message,
      next: nextAction,
      files: more.files ?? [],
      output: more.output ?? '',
    };
  }
}

/** Runs to a result or to the reason why there is none; real failures stay exceptions. */
export async function orRefused<T>(action: () => Promise<T>): Promise<T | Refused> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof Refusal) return error.refused;
    if (error instanceof GitLockedError) {
      return new Refusal('locked', error.message, error.next ?? '').refused;
    }
    throw error;
  }
}
