import { LoopwrightError } from '../../kernel/errors.ts';

export interface GitOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** git answered with an error; `stderr` is what it said. */
export class GitError extends LoopwrightError {
  readonly args: readonly string[];
  readonly stderr: string;

  constructor(args: readonly string[], outcome: GitOutcome) {
    super(`git ${args.join(' ')} failed (exit code ${outcome.code}): ${outcome.stderr.trim()}`);
    this.args = args;
    this.stderr = outcome.stderr;
  }
}

/** It is not installed, or the folder is gone. */
export class GitNotStartedError extends LoopwrightError {}
