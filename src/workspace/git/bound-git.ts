import { rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, LoopwrightError, StorageError, UsageError } from '../../kernel/errors.ts';
import { GitError, type GitOutcome } from './git-error.ts';
import { explainGitLock } from './git-locks.ts';
import { noRepository } from './repository-errors.ts';
import { type GitOptions, runGit } from './run-git.ts';

/** How git is started; a test puts one in its place that dies or fails at a chosen command. */
export type RunGit = (args: readonly string[], options: GitOptions) => Promise<GitOutcome>;

type CallOptions = Omit<GitOptions, 'cwd'>;

/** git in one folder, with its failures in words a person can act on. */
export class BoundGit {
  readonly cwd: string;
  readonly #run: RunGit;
  readonly #env: { readonly [name: string]: string };

  constructor(cwd: string, run: RunGit = runGit, env: { readonly [name: string]: string } = {}) {
    this.cwd = cwd;
    this.#run = run;
    this.#env = env;
  }

  in(cwd: string): BoundGit {
    return new BoundGit(cwd, this.#run, this.#env);
  }

  with(env: { readonly [name: string]: string }): BoundGit {
    return new BoundGit(this.cwd, this.#run, { ...this.#env, ...env });
  }

  try(args: readonly string[], options: CallOptions = {}): Promise<GitOutcome> {
    return this.#run(args, { cwd: this.cwd, ...options, env: { ...this.#env, ...options.env } });
  }

  /** Standard output without its last line end. */
  async out(args: readonly string[], options: CallOptions = {}): Promise<string> {
    return (await this.run(args, options)).stdout.replace(/\n$/, '');
  }

  /** Standard output as it is; a failure is git's own, for a caller that has its own words for it. */
  async raw(args: readonly string[], options: CallOptions = {}): Promise<string> {
    const outcome = await this.try(args, options);
    if (outcome.code !== 0) throw new GitError(args, outcome);
    return outcome.stdout;
  }

  async run(args: readonly string[], options: CallOptions = {}): Promise<GitOutcome> {
    for (;;) {
      const outcome = await this.try(args, options);
      if (outcome.code === 0) return outcome;
      if (!(await freedOwnLock(outcome.stderr))) throw await explained(this.cwd, args, outcome);
    }
  }
}

/** A failure of git as the error for whoever asked; what is not recognised stays as git said it. */
export async function explained(
  cwd: string,
  args: readonly string[],
  outcome: GitOutcome,
): Promise<LoopwrightError> {
  const cause = new GitError(args, outcome);
  const { stderr } = outcome;
  if (/No space left on device|Disk quota exceeded/i.test(stderr)) {
    return new StorageError(`git could not write to the repository of ${cwd}: the disk is full.`, {
      next: 'Free some space and try again. What was saved before is kept.',
      reason: 'full',
      cause,
    });
  }
  if (/Read-only file system|insufficient permission for adding|Permission denied/i.test(stderr)) {
    return new StorageError(`git was not allowed to read or write a file in ${cwd}: ${firstLine(stderr)}`, {
      next: 'Correct the permissions of the file or of the repository and try again.',
      reason: /Read-only file system/i.test(stderr) ? 'read-only' : 'no-rights',
      cause,
    });
  }
  if (/Please tell me who you are|empty ident name|unable to auto-detect email/i.test(stderr)) {
    return new UsageError('git does not know who you are, so it makes no commit in your name.', {
      next: 'Set it: git config --global user.name "..." && git config --global user.email "..."',
      cause,
    });
  }
  if (/not a git repository|dubious ownership/.test(stderr)) return noRepository(cwd, stderr);
  const other = await explainGitLock(cause);
  return other instanceof LoopwrightError ? other : cause;
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

/** git writes one ref while it holds the lock: a lock this old has lost its owner. */
const DEAD_AFTER_MS = 3000;
const POLL_MS = 50;
/** Refs that nobody but loopwright writes. Any other lock may belong to the user and is never removed. */
const OWN = /Unable to create '(.+[\\/]refs[\\/]loopwright[\\/].+\.lock)': File exists/;

/**
 * Whether the command is worth repeating: it met a lock on one of our own refs that has gone by now, or that
 * a killed git left behind and we have removed.
 */
async function freedOwnLock(stderr: string): Promise<boolean> {
  const path = OWN.exec(stderr)?.[1];
  if (path === undefined) return false;
  for (;;) {
    const age = await ageOf(path);
    if (age === undefined) return true;
    if (age > DEAD_AFTER_MS) {
      await rm(path, { force: true });
      return true;
    }
    await sleep(POLL_MS);
  }
}

async function ageOf(path: string): Promise<number | undefined> {
  try {
    return Math.abs(Date.now() - (await stat(path)).mtimeMs);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
