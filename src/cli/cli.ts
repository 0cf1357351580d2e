import { API_VERSION } from '../api/version.ts';
import type { Action } from '../kernel/action.ts';
import { plain } from '../kernel/words.ts';
import type { Project } from '../project/project.ts';
import { actionLine, wordsOf } from './action-line.ts';
import type { Screen } from './output.ts';
import { commandLine, projectWords } from './self.ts';

export const DIR = ['--dir <path>', 'the project'] as const;
export const JSON_DOCUMENT = ['--json', 'one JSON document'] as const;
export const JSON_LINES = ['--json', 'one JSON object per event and line, the result last'] as const;
export const ATTENDED = [
  '--attended',
  'somebody answers from elsewhere, as a dashboard does: a question waits instead of halting it',
] as const;
export const SESSION = 'its id; its last four characters are enough when only one fits';
export const TASK = 'its id; its last four characters are enough when only one task fits';

/** What every command that looks at one project can be told. */
export interface ProjectOptions {
  readonly dir?: string;
  readonly json?: true;
}

/** What a command file works with: it declares its options, then runs. */
export interface Cli {
  readonly screen: Screen;
  /** Makes a handler that `commander` can call; without a number the exit code is 0. */
  action<Args extends unknown[]>(
    run: (...args: Args) => Promise<number | undefined | void>,
  ): (...args: Args) => Promise<void>;
  /** The project that a command is about; the code of use cases is loaded only now, so `--help` stays fast. */
  open(options: ProjectOptions): Promise<Project>;
  /** A document for a program. */
  json(document: object): void;
  /** The command line that a person types next. */
  next(project: Pick<Project, 'dir'>, ...words: readonly string[]): void;
}

export function createCli(screen: Screen, finished: (code: number) => void): Cli {
  return {
    screen,
    action:
      (run) =>
      async (...args) => {
        finished((await run(...args)) ?? 0);
      },
    open: async ({ dir }) => (await import('../project/project.ts')).openProject(dir),
    json: (document) => screen.json({ apiVersion: API_VERSION, ...document }),
    next: (project, ...words) =>
      screen.line(`${screen.style.cyan('next:')} ${commandFor(project, ...words)}`),
  };
}

/** A command about this project, for a person to paste. */
export function commandFor({ dir }: Pick<Project, 'dir'>, ...words: readonly string[]): string {
  return commandLine(...words, ...projectWords(dir));
}

/** An action as a sentence with the command that carries it out. */
export function sentenceFor(project: Pick<Project, 'dir'>, action: Action): string {
  return plain(actionLine(action, (...words) => commandFor(project, ...words)));
}

/** An action for a program, with the command a person would type. */
export function actionJson(project: Pick<Project, 'dir'>, action: Action): object {
  const words = wordsOf(action);
  return words === undefined ? action : { ...action, command: commandFor(project, ...words) };
}
