import { CommanderError } from 'commander';
import { action } from '../kernel/action.ts';
import { errorCode, errorMessage, LoopwrightError } from '../kernel/errors.ts';
import { plain } from '../kernel/words.ts';
import { actionLine } from './action-line.ts';
import type { Screen } from './output.ts';
import { commandLine, projectWordsOf, withOurCommands } from './self.ts';

const SEE_HELP = action('command.help', 'See');

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

export function nextStep(error: unknown): string {
  if (error instanceof LoopwrightError)
    return withOurCommands(
      actionLine(error.next ?? SEE_HELP, (...words) =>
        commandLine(...words, ...projectWordsOf(process.argv)),
      ),
    );
  return (
    ADVICE[errorCode(error) ?? ''] ??
    'loopwright did not expect this. Run it again with LOOPWRIGHT_DEBUG=1 to see where it comes from, and report it.'
  );
}

function trace(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by: ${trace(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
