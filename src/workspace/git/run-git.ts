import { execFile } from 'node:child_process';
import { childEnv } from '../../config/child-env.ts';
import { environmentFor } from '../../process/environment.ts';
import { refuseTouched } from '../guard/trusted.ts';
import { GitNotStartedError, type GitOutcome } from './git-error.ts';
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
  /** Ends it; the reason is thrown. */
  readonly signal?: AbortSignal;
  /** `latin1`: names of files as their bytes. */
  readonly encoding?: 'latin1';
}

const MAX_OUTPUT = 1 << 30;
/** English messages, no prompts, and no refreshing of the user's index on the side. */
const QUIET = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' };
const NO_HOOKS = ['core.hooksPath=/dev/null'];
/** Programs that the settings of a repository could have git start, whoever wrote them there. */
const NO_PROGRAMS = [
  'core.fsmonitor=false',
  'core.pager=cat',
  'core.editor=true',
  'sequence.editor=true',
  'core.askPass=',
  'diff.external=',
  'log.showSignature=false',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
];
/** Nothing that stays on this machine has to reach another one. */
const NO_REMOTES = ['protocol.allow=never', 'core.sshCommand=false', 'credential.helper='];
/** A program that only shows would be another way to run one. */
const DIFFS = new Set(['diff', 'diff-tree', 'diff-index', 'diff-files', 'log', 'show', 'format-patch']);
const PLAIN_DIFF = ['--no-ext-diff', '--no-textconv'];

/**
 * The one way in which git is started. It gives whatever came of it, and throws only when git could not be started, or
 * when what steers it was changed since an agent began to work beside it.
 */
export async function runGit(args: readonly string[], options: GitOptions): Promise<GitOutcome> {
  const { hooks = false, remote = false } = options;
  refuseTouched(options.cwd, options.env ?? {});
  const settings = [...NO_PROGRAMS, ...(hooks ? [] : NO_HOOKS), ...(remote ? [] : NO_REMOTES)];
  const all = [...settings.flatMap((setting) => ['-c', setting]), ...withPlainDiff(args)];
  const env = environmentFor(remote ? 'remote' : 'git', childEnv());
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      all,
      {
        cwd: options.cwd,
        env: { ...env, ...QUIET, ...lockMarker(), ...options.env },
        maxBuffer: MAX_OUTPUT,
        encoding: options.encoding ?? 'utf8',
        signal: options.signal,
      },
      (error, stdout, stderr) => {
        if (!error) resolve({ code: 0, stdout, stderr });
        else if (options.signal?.aborted) reject(options.signal.reason);
        else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr });
        else reject(notStarted(error, options.cwd));
      },
    );
    // A git that ends without reading its input breaks the pipe; how it ended says more than that.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input);
  });
}

/** Neither diff programs nor text converters, which a file of attributes in the tree can ask for. */
function withPlainDiff(args: readonly string[]): readonly string[] {
  let at = 0;
  while (args[at] === '-c' || args[at] === '--git-dir') at += 2;
  while (args[at]?.startsWith('--no-') || args[at] === '--literal-pathspecs') at += 1;
  const command = args[at] ?? '';
  return DIFFS.has(command) ? [...args.slice(0, at + 1), ...PLAIN_DIFF, ...args.slice(at + 1)] : args;
}

function notStarted(error: Error, cwd: string): GitNotStartedError {
  return new GitNotStartedError(`git could not be run in ${cwd}: ${error.message}`, {
    next: 'Install git (2.30 or newer) and see that it is in your PATH, and that the folder exists.',
    cause: error,
  });
}
