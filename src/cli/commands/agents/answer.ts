import type { Command } from 'commander';
import { UsageError } from '../../../kernel/errors.ts';
import { toChange } from '../../choose.ts';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions, SESSION } from '../../cli.ts';
import { continueSession } from '../session/continue.ts';

export const STAGE_TASK = 'the task; not needed while only one runs';

export interface StageTaskOptions extends ProjectOptions {
  readonly task?: string;
}

export function declareAnswer(program: Command, cli: Cli): void {
  program
    .command('answer')
    .description('answer what an agent asks, or the question a session halted on')
    .argument('[session]', `${SESSION}; not needed while only one asks`)
    .argument('[text]', 'the answer, or the number of a choice')
    .usage('[options] [session] <text>')
    .option('--task <id>', STAGE_TASK)
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(
      cli.action((first: string | undefined, second: string | undefined, options: StageTaskOptions) =>
        second === undefined ? answer(cli, undefined, first, options) : answer(cli, first, second, options),
      ),
    );
}

/** A question that a session halted on is answered by resuming it; one of a running agent goes to its process. */
async function answer(
  cli: Cli,
  id: string | undefined,
  text: string | undefined,
  options: StageTaskOptions,
): Promise<number | void> {
  refuseEmpty(options);
  if (text === undefined)
    throw new UsageError('There is no answer.', { next: 'Give it, after the id of the session.' });
  const project = await cli.open(options);
  const session = await project.session(await toChange(cli, project, id, options, 'answer'));
  if (session.halt?.question && options.task === undefined) {
    return continueSession(cli, 'resume', session.id, { ...options, answer: text, wait: true });
  }
  const answered = await project.answer(session.id, text, { stageTask: options.task });
  if (options.json) return cli.json(answered);
  return cli.screen.line(`Answered task ${answered.task}.`);
}

export function refuseEmpty({ task }: StageTaskOptions): void {
  if (task === '') throw new UsageError('--task is empty.', { next: 'Give the id of the task.' });
}
