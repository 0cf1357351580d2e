import type { Command } from 'commander';
import { UsageError } from '../../../kernel/errors.ts';
import type { Approved } from '../../../project/backlog/judge.ts';
import { toChange } from '../../choose.ts';
import { type Cli, DIR, JSON_DOCUMENT, TASK } from '../../cli.ts';
import { openTrusted, TRUST, type TrustOptions } from '../../open-trusted.ts';
import { whileProving } from '../../while-proving.ts';

interface JudgeOptions extends TrustOptions {
  readonly merge?: true;
  readonly unproven?: true;
  readonly suspicious?: string;
}

export function declareJudge(program: Command, cli: Cli): void {
  program
    .command('judge')
    .description('your verdict on what a task delivered')
    .argument('[task]', `${TASK}; not needed while only one waits`)
    .argument('[verdict]', 'approve or rework')
    .argument('[notes]', 'what the next attempt should know')
    .usage('[options] [task] <verdict> [notes]')
    .option('--merge', 'github: merge the pull request too')
    .option('--unproven', 'although nothing proves it on what the base branch has now; the commit says so')
    .option('--suspicious <reason>', 'although it made its checks worth less; the commit says why')
    .option(...DIR)
    .option(...TRUST)
    .option(...JSON_DOCUMENT)
    .action(
      cli.action((task: Word, verdict: Word, notes: Word, options: JudgeOptions) =>
        isVerdict(task)
          ? judge(cli, undefined, task, verdict, options)
          : judge(cli, task, verdict, notes, options),
      ),
    );
}

type Word = string | undefined;

function isVerdict(word: Word): word is 'approve' | 'rework' {
  return word === 'approve' || word === 'rework';
}

async function judge(
  cli: Cli,
  named: Word,
  verdict: Word,
  notes: Word,
  options: JudgeOptions,
): Promise<number | void> {
  if (!isVerdict(verdict)) {
    throw new UsageError(verdict === undefined ? 'There is no verdict.' : `"${verdict}" is not a verdict.`, {
      next: 'Say approve, or rework with notes for the next attempt.',
    });
  }
  const project = await openTrusted(cli, options);
  const written = await toChange(cli, project, named, options, 'judge');
  if (verdict === 'rework') {
    const done = await project.reworkTask(written, notes ?? '');
    const said = `Task ${done.task} is in line again, with your notes.`;
    return options.json ? cli.json({ ...done, said }) : cli.screen.line(said);
  }
  const { merge = false, unproven, suspicious } = options;
  const outcome = await whileProving(cli, options, (company) =>
    project.approveTask(written, {
      ...company,
      merge,
      ...(unproven === undefined ? {} : { unproven }),
      ...(suspicious === undefined ? {} : { suspicious }),
    }),
  );
  if ('interrupted' in outcome) return outcome.interrupted;
  const { done } = outcome;
  const said = approvedWords(done);
  return options.json ? cli.json({ ...done, said }) : cli.screen.line(said);
}

function approvedWords({ task, already, delivered, base, merged, unchecked }: Approved): string {
  if (already) return `Task ${task} is done already.`;
  const where =
    merged !== undefined
      ? `${merged} is merged`
      : delivered === undefined
        ? 'approved'
        : delivered.kind === 'nothing-to-accept'
          ? 'there was nothing to accept'
          : `${delivered.commit.slice(0, 12)} on ${base}`;
  return `Task ${task} is done: ${where}${unchecked.map((what) => `, ${what}`).join('')}.`;
}
