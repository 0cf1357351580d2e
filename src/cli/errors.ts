import { CommanderError } from 'commander';
import { type Action, action, advise } from '../kernel/action.ts';
import { errorCode, errorMessage, LoopwrightError } from '../kernel/errors.ts';
import { plain } from '../kernel/words.ts';
import { actionLine, wordsOf } from './action-line.ts';
import type { Cli, ProjectOptions } from './cli.ts';
import type { Screen } from './output.ts';
import { commandLine, namedProjectWords } from './self.ts';

const SEE_HELP = action('command.help', 'See');
const UNEXPECTED =
  'loopwright did not expect this. Run it again with LOOPWRIGHT_DEBUG=1 to see where it comes from, and report it.';

const ADVICE: Readonly<Record<string, string>> = {
  EACCES: 'Correct the permissions of that file or folder, then run the command again.',
  EPERM: 'Correct the permissions of that file or folder, then run the command again.',
  EEXIST: 'Something stands where loopwright needs a folder: move it away, then run the command again.',
  ENOTDIR: 'A file stands where loopwright needs a folder: move it away, then run the command again.',
  ENOENT: 'Check the path, then run the command again.',
  ENOSPC: 'The disk is full: free some space, then run the command again.',
  EROFS: 'The file system is mounted read-only: remount it, or use another folder.',
};

/** Says what went wrong and what to do next, on standard error; gives the exit code. */
export function reportError(screen: Screen, error: unknown): number {
  // Commander has printed its own message already.
  if (error instanceof CommanderError) return error.exitCode;
  const { red, cyan, dim } = screen.errorStyle;
  screen.error(`${red('error:')} ${plain(errorMessage(error))}`);
  screen.error(`${cyan('next:')} ${plain(nextStep(error))}`);
  if (screen.debug && error instanceof Error) screen.error(dim(trace(error)));
  return 1;
}

/** What to do about an error, as a sentence with the command that does it. */
export function nextStep(error: unknown): string {
  return actionLine(nextAction(error), pasteable);
}

/** An error for a program: its kind, what happened, and what to do as data and as a command. */
export function problemJson(error: unknown): object {
  const next = nextAction(error);
  const words = wordsOf(next);
  return {
    kind: error instanceof LoopwrightError ? error.kind : 'internal',
    message: errorMessage(error),
    next: words === undefined ? next : { ...next, command: pasteable(...words) },
  };
}

function nextAction(error: unknown): Action {
  if (error instanceof LoopwrightError) return error.next ?? SEE_HELP;
  return advise(ADVICE[errorCode(error) ?? ''] ?? UNEXPECTED);
}

/** For the project that was named; what is only about the program itself names none. */
export function pasteable(...words: readonly string[]): string {
  const isAboutItself = words.at(-1) === '--help';
  return commandLine(...words, ...(isAboutItself ? [] : namedProjectWords(process.argv)));
}

function trace(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by: ${trace(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}

/** A program that reads our events finds a result as the last line, even when there was nothing to run. */
export async function withResultLine(
  cli: Cli,
  { json }: ProjectOptions,
  run: () => Promise<number>,
  nothing: object = { session: null, status: null },
): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!json) throw error;
    cli.json(resultOfError(error, nothing));
    return reportError(cli.screen, error);
  }
}

/** The last line of what failed; `where` is what other last lines of the command name. */
export function resultOfError(error: unknown, where: object): object {
  return { type: 'result', ...where, exitCode: 1, error: problemJson(error) };
}
