import type { Command } from 'commander';
import { UsageError } from '../../../kernel/errors.ts';
import { count, oneLine } from '../../../kernel/words.ts';
import type { Project } from '../../../project/project.ts';
import type {
  Researching,
  ResearchReport,
  ResearchRequest,
  ResearchUnfinished,
} from '../../../project/runtime/research.ts';
import { askForAgent } from '../../ask-for-agent.ts';
import { type Cli, commandFor, DIR, JSON_LINES } from '../../cli.ts';
import { openRuntimeDisplay } from '../../display/runtime.ts';
import { withResultLine } from '../../errors.ts';
import { openTrusted, TRUST, type TrustOptions } from '../../open-trusted.ts';
import { Stops } from '../../stops.ts';

interface ResearchOptions extends TrustOptions {
  readonly profile?: string;
  readonly continue?: string;
}

const UNFINISHED = 2;

export function declareResearch(program: Command, cli: Cli): void {
  program
    .command('research')
    .description('answer a question with sources: plan, collect, challenge, write')
    .argument('[question]', 'what you want to know')
    .option('--profile <name>', 'how much is enough: low, mid (default), high or ultra')
    .option('--continue <job>', 'continue a job that was stopped: its id, or that of one of its tasks')
    .option(...DIR)
    .option(...TRUST)
    .option(...JSON_LINES)
    .action(
      cli.action((question: string | undefined, options: ResearchOptions) =>
        withResultLine(cli, options, () => research(cli, question, options), { job: null }),
      ),
    );
}

async function research(cli: Cli, question: string | undefined, options: ResearchOptions): Promise<number> {
  const { screen } = cli;
  const request = requestOf(question, options);
  let project = await openTrusted(cli, options);
  if (screen.interactive && !options.json && (await askForAgent(cli, project, 'worker')))
    project = await openTrusted(cli, options);
  const job = await project.research(request);
  if (!options.json) tellLimits(cli, job);
  const display = await openRuntimeDisplay(screen, {
    json: options.json ?? false,
    answerWith: (session, task) => commandFor(project, 'answer', session, '<answer>', '--task', task),
  });
  const stops = new Stops(screen, {
    interrupt: () => job.stop(),
    lastWord: (exitCode) => {
      job.kill();
      display.close();
      tellUnfinished(cli, project, { job: job.job, unfinished: 'it was ended at once' }, exitCode, options);
    },
  });
  const unsubscribe = job.events.subscribe((event) => display.event(event));
  try {
    const end = await job.ended;
    display.close();
    if ('unfinished' in end) {
      const exitCode = stops.exitCode ?? UNFINISHED;
      tellUnfinished(cli, project, end, exitCode, options);
      return exitCode;
    }
    tellReport(cli, end, options);
    return 0;
  } finally {
    display.close();
    unsubscribe();
    stops.close();
  }
}

function tellLimits({ screen }: Cli, { limits, warnings }: Pick<Researching, 'limits' | 'warnings'>): void {
  for (const limit of limits) screen.line(screen.style.dim(limit));
  for (const warning of warnings) screen.line(screen.style.yellow(`! ${warning}`));
}

function requestOf(question: string | undefined, options: ResearchOptions): ResearchRequest {
  const { profile } = options;
  if (options.continue === undefined)
    return { question: question ?? '', ...(profile === undefined ? {} : { profile }) };
  if (question !== undefined || profile !== undefined)
    throw new UsageError('--continue takes no question and no profile: the job keeps its own.', {
      next: 'Leave them out.',
    });
  return { continue: options.continue };
}

function tellUnfinished(
  cli: Cli,
  project: Project,
  { job, unfinished }: ResearchUnfinished,
  exitCode: number,
  { json }: ResearchOptions,
): void {
  const words = ['research', '--continue', job];
  if (json)
    return cli.json({ type: 'result', job, unfinished, next: commandFor(project, ...words), exitCode });
  cli.screen.line(cli.screen.style.yellow(`The job is not finished: ${unfinished}. What was found is kept.`));
  return cli.next(project, ...words);
}

function tellReport(cli: Cli, end: ResearchReport, { json }: ResearchOptions): void {
  if (json) return cli.json({ type: 'result', ...end, exitCode: 0 });
  const { green, dim, yellow } = cli.screen.style;
  const sums = dim(`${count(end.claims, 'claim')}, ${count(end.sources, 'source')}`);
  const held = end.unverified.length === 0;
  cli.screen.line(`${held ? green('report') : yellow('report, unverified')} ${end.report}  ${sums}`);
  for (const { claim, status, missing } of end.unverified)
    cli.screen.line(yellow(`! unverified (${status}): ${oneLine(claim)}: ${missing.join(', ')}`));
  if (end.notFetched > 0)
    cli.screen.line(
      yellow(`! ${count(end.notFetched, 'source')} not fetched by any tool: they confirm nothing`),
    );
  if (end.unsourced > 0)
    cli.screen.line(yellow(`! ${count(end.unsourced, 'claim')} without any source: see the report`));
}
