import { type HttpProblem, type ProblemCode, STATUS_OF } from '../../api/routes/problem.ts';
import type { Action } from '../../kernel/action.ts';
import { errorMessage, LoopwrightError } from '../../kernel/errors.ts';

/** A refusal of the server itself, beside those of the use cases. */
export class Refused extends Error {
  readonly code: ProblemCode;

  constructor(code: ProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

export type CommandOf = (action: Action) => string | undefined;

/** An action for a page: with the command that does the same, to be copied. */
function withCommand<A extends Action>(action: A, commandOf: CommandOf): A & { readonly command?: string } {
  const command = commandOf(action);
  return command === undefined ? action : { ...action, command };
}

/** An error as an answer; what nobody expected says nothing about the inside. */
export function problemOf(
  error: unknown,
  commandOf: CommandOf,
): { readonly status: number; readonly body: HttpProblem } {
  if (error instanceof Refused)
    return { status: STATUS_OF[error.code], body: { problem: error.message, code: error.code } };
  if (!(error instanceof LoopwrightError))
    return { status: 500, body: { problem: `Not expected: ${errorMessage(error)}`, code: 'internal' } };
  const { kind, message, next } = error;
  const told = next && withCommand(next, commandOf);
  return {
    status: STATUS_OF[kind],
    body: {
      problem: message,
      code: kind,
      ...(told ? { next: told as NonNullable<HttpProblem['next']> } : {}),
    },
  };
}
