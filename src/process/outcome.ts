import type { Captured } from './capture.ts';

interface Outputs {
  /** Standard output; with merged streams everything, in the order of writing. */
  readonly output: Captured;
  /** Standard error; empty with merged streams. */
  readonly errors: Captured;
  readonly durationMs: number;
}

/** How a child process ended. Nothing of this is an exception: a failing command is an answer. */
export type ProcessOutcome = ProcessEnd & Outputs;

export type ProcessEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'timed-out'; readonly timeoutMs: number }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'not-started'; readonly error: SystemError };

export interface SystemError {
  /** The system's code, such as `ENOENT`. */
  readonly code: string;
  readonly message: string;
}

/** The end of a process as half a sentence: `ended with exit code 1`. */
export function describeEnd(end: ProcessEnd): string {
  if (end.kind === 'exited') return `ended with exit code ${end.code}`;
  if (end.kind === 'killed') return `was killed by ${end.signal}`;
  if (end.kind === 'timed-out') return `was stopped at its time limit of ${end.timeoutMs / 1000} s`;
  if (end.kind === 'not-started') return `could not be started: ${end.error.message}`;
  return 'was cancelled';
}
