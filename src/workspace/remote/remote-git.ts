import { setTimeout as sleep } from 'node:timers/promises';
import { LoopwrightError } from '../../kernel/errors.ts';
import { BoundGit } from '../git/bound-git.ts';
import { GitError, type GitOutcome } from '../git/git-error.ts';
import { withoutPassword } from './repository-url.ts';

export interface RemoteGit {
  readonly cwd: string;
  /** How the remote learns who asks. */
  readonly env: { readonly [name: string]: string };
  /** Pauses before each repetition. */
  readonly retryMs?: readonly number[] | undefined;
}

/** The remote did not do what it was asked to: not for want of connection, so repeating it changes nothing. */
export class RemoteRefusedError extends LoopwrightError {}
/** The remote could not be reached; a later try may succeed. */
export class RemoteUnreachableError extends LoopwrightError {}

const RETRY_MS = [1000, 3000, 9000];
/** A connection that moves next to nothing for a minute is given up. */
const IMPATIENT = ['-c', 'http.lowSpeedLimit=100', '-c', 'http.lowSpeedTime=60'];
const TRANSIENT =
  /could not resolve host|connection (?:timed out|reset|refused|closed)|operation timed out|early EOF|RPC failed|hung up unexpectedly|returned error: 5\d\d|temporarily unavailable|TLS connection|SSL_ERROR|kex_exchange|network is unreachable|unexpected disconnect/i;
const DENIED =
  /authentication failed|could not read (?:username|password)|permission to .* denied|returned error: 40[13]|permission denied \(publickey|access denied/i;
const MISSING = /repository .*not found|does not appear to be a git repository|returned error: 404/i;

/** Runs a git command that talks to the remote, again when it failed for want of connection. */
export async function tryRemote(remote: RemoteGit, args: readonly string[]): Promise<GitOutcome> {
  const { cwd, env, retryMs = RETRY_MS } = remote;
  for (const pause of [...retryMs, undefined]) {
    const outcome = await new BoundGit(cwd).with(env).try([...IMPATIENT, ...args], { remote: true });
    if (outcome.code === 0 || !TRANSIENT.test(outcome.stderr) || pause === undefined) return outcome;
    await sleep(pause);
  }
  throw new Error('unreachable: the last try returns');
}

export async function remoteGit(remote: RemoteGit, args: readonly string[]): Promise<string> {
  const outcome = await tryRemote(remote, args);
  if (outcome.code !== 0) throw remoteFailure(args, outcome);
  return outcome.stdout;
}

/** A failure of a git command that talked to a remote, in words for a person. */
export function remoteFailure(args: readonly string[], outcome: GitOutcome): LoopwrightError {
  const said = withoutPassword(outcome.stderr).trim();
  const cause = new GitError(args, { ...outcome, stderr: said });
  if (TRANSIENT.test(said)) {
    return new RemoteUnreachableError(`The remote repository cannot be reached: ${said}`, {
      next: 'Check the network and REPO_URL; the work is kept, and repeating the task continues from here.',
      cause,
    });
  }
  if (DENIED.test(said)) {
    return new RemoteRefusedError(`The remote repository did not let us in: ${said}`, {
      next: 'Check that GITHUB_TOKEN (or `gh auth login`, or your SSH key) may read and write it.',
      cause,
    });
  }
  if (MISSING.test(said)) {
    return new RemoteRefusedError(`There is no such remote repository, or it may not be seen: ${said}`, {
      next: 'Check REPO_URL and what the token may see.',
      cause,
    });
  }
  return cause;
}
