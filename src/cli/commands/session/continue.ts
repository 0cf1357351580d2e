import { type Command, Option } from 'commander';
import { oneLine } from '../../../kernel/words.ts';
import { toChange } from '../../choose.ts';
import { ATTENDED, type Cli, DIR, JSON_LINES, SESSION } from '../../cli.ts';
import { withResultLine } from '../../errors.ts';
import { followRun } from '../../follow-run.ts';
import { openTrusted, TRUST, type TrustOptions } from '../../open-trusted.ts';
import { budgetOption, parseBudget } from '../../option-values.ts';

export interface ContinueOptions extends TrustOptions {
  readonly guidance?: string;
  readonly answer?: string;
  readonly budget?: string;
  readonly takeOver?: true;
  readonly manifest?: 'current';
  readonly allow?: readonly string[];
  readonly wait: boolean;
  readonly attended?: true;
}

type How = 'resume' | 'retry' | 'step';

const DESCRIPTIONS: { readonly [how in How]: string } = {
  resume: 'continue after a halt, a park or the death of the process',
  retry: 'run the block that halted or failed once more',
  step: 'run exactly one block, then halt again',
};

/** `resume`, `retry` and `step`. */
export function declareContinue(program: Command, cli: Cli): void {
  for (const how of ['resume', 'retry', 'step'] as const) {
    program
      .command(how)
      .description(DESCRIPTIONS[how])
      .argument('[session]', SESSION)
      .option('-g, --guidance <text>', 'what the next worker should know')
      .option('-a, --answer <text>', 'the answer to the question it halted on')
      .addOption(budgetOption())
      .addOption(
        new Option(
          '--manifest <which>',
          'current: take up the workflow as its file says it now, in place of the one it was started with',
        ).choices(['current']),
      )
      .option('--allow <path...>', 'files that it may change after all, each by its exact path')
      .option('--take-over', 'take the session even from a process that still runs it')
      .option(...DIR)
      .option(...TRUST)
      .option('--no-wait', 'end when the session parks, instead of waiting for its time')
      .option(...ATTENDED)
      .option(...JSON_LINES)
      .action(
        cli.action((id: string | undefined, options: ContinueOptions) =>
          withResultLine(cli, options, () => continueSession(cli, how, id, options)),
        ),
      );
  }
}

/** Sets a stored session going again and shows it. */
export async function continueSession(
  cli: Cli,
  how: How,
  id: string | undefined,
  options: ContinueOptions,
): Promise<number> {
  const { bold, dim } = cli.screen.style;
  const { guidance, answer, takeOver, manifest, allow } = options;
  const budget = options.budget === undefined ? undefined : parseBudget(options.budget);
  const project = await openTrusted(cli, options);
  const session = await toChange(cli, project, id, options, how);
  return followRun(
    cli,
    {
      project,
      json: options.json ?? false,
      wait: options.wait,
      attended: options.attended ?? false,
      announce: (display, run) => {
        display.line(`${bold(oneLine(run.goal))}  ${dim(`${how} of session ${run.id}`)}`);
        for (const note of run.notes) display.line(dim(note));
      },
    },
    (company) =>
      project[how](session, {
        ...company,
        guidance,
        answer,
        budget,
        takeOver,
        manifest,
        noWait: !options.wait,
        ...(allow ? { allow } : {}),
      }),
  );
}
