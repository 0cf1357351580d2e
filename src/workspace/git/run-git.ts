import { execFile } from 'node:child_process';
import { childEnv } from '../../config/child-env.ts';
import { LoopwrightError } from '../../kernel/errors.ts';
import { environmentFor } from '../../process/environment.ts';
import type { GitOutcome } from './git-error.ts';
import { lockMarker } from './lock-context.ts';

export interface GitOptions {
  readonly cwd: string;
  /** Added to the cleaned environment, such as a private GIT_INDEX_FILE. */
  readonly env?: { readonly [name: string]: string };
  readonly input?: string;
  /** Lets the user's hooks run; only for what is delivered in the user's name. */
  readonly hooks?: boolean;
  /** Talks to a remote in the user's name: it may use their keys. */
  readonly remote?: boolean;
}

const MAX_OUTPUT = 1 << 30;
/** English messages, no prompts, and no refreshing of the user's index on the side. */
const QUIET = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' };
const NO_HOOKS = ['-c', 'core.hooksPath=/dev/null'];
/** Programs that the configuration of a repository could have git start, whoever wrote it there. */
const NO_PROGRAMS = [
  'core.fsmonitor=false',
  'core.pager=cat',
  'core.editor=true',
  'diff.external=',
  'gc.auto=0',
].flatMap((setting) => ['-c', setting]);

/** Runs git and gives whatever came of it; throws only when git could not be started. */
export function runGit(args: readonly string[], options: GitOptions): Promise<GitOutcome> {
  const { hooks = false, remote = false } = options;
  const all = [...NO_PROGRAMS, ...(hooks ? [] : NO_HOOKS), ...args];
  const env = environmentFor(remote ? 'remote' : 'git', childEnv());
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      all,
      {
        cwd: options.cwd,
        env: { ...env, ...QUIET, ...lockMarker(), ...options.env },
        maxBuffer: MAX_OUTPUT,
      },
      (error, stdout, stderr) => {
        if (!error) resolve({ code: 0, stdout, stderr });
        else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr });
        else reject(notStarted(error, options.cwd));
      },
    );
    // A git that ends without reading its input breaks the pipe; how it ended says more than that.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input);
  });
}

function notStarted(error: Error, cwd: string): LoopwrightError {
  return new LoopwrightError(`git could not be run in ${cwd}: ${error.message}`, {
    next: 'Install git (2.30 or newer) and see that it is in your PATH, and that the folder exists.',
    cause: error,
  });
}
