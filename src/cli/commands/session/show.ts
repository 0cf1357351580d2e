import type { Command } from 'commander';
import type { Action } from '../../../kernel/action.ts';
import type { Project } from '../../../project/project.ts';
import { toLookAt } from '../../choose.ts';
import { actionJson, type Cli, DIR, JSON_DOCUMENT, type ProjectOptions } from '../../cli.ts';
import { segmentLines } from '../../display/segments.ts';
import { sessionLines } from '../../display/session-page.ts';
import { stepLines } from '../../display/step-page.ts';
import { storyLines } from '../../display/story.ts';
import { parseStepNumber } from '../../option-values.ts';
import { printLog, printLogsAsJson } from '../../print-log.ts';
import { printActions } from '../../session-end.ts';
import { printTaskNext } from '../../task-next.ts';

interface ShowOptions extends ProjectOptions {
  readonly step?: string;
  readonly log?: true;
  readonly payload?: true;
}

export function declareShow(program: Command, cli: Cli): void {
  program
    .command('show')
    .description('show a session or a task: where it stands, the way it took, and what to do next')
    .argument('[session]', 'its id, or that of a task; its last four characters are enough')
    .option('--step <n>', 'what went into one step and what came out')
    .option('--log', 'the full output of the processes it ran')
    .option('--payload', 'the whole history of segments')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((id: string | undefined, options: ShowOptions) => show(cli, id, options)));
}

async function show(cli: Cli, written: string | undefined, options: ShowOptions): Promise<void> {
  const step = options.step === undefined ? undefined : parseStepNumber(options.step);
  const project = await cli.open(options);
  const id = await toLookAt(cli, project, written, options);
  if (id !== undefined && (await project.isTaskId(id))) return showStory(cli, project, id, options);
  if (options.log) return showLogs(cli, project, id, step, options);
  return step === undefined
    ? showSession(cli, project, id, options)
    : showStep(cli, project, id, step, options);
}

async function showSession(
  cli: Cli,
  project: Project,
  id: string | undefined,
  options: ShowOptions,
): Promise<void> {
  const { screen } = cli;
  const view = await project.session(id, { payload: options.payload ?? false });
  if (options.json) {
    const { actions, ...session } = view;
    return cli.json({ ...session, next: actions.map((each) => actionJson(project, each)) });
  }
  for (const line of sessionLines(view, screen)) screen.line(line);
  if (view.payload) {
    screen.line();
    for (const line of segmentLines(view.payload, screen.style)) screen.verbatim(line);
  }
  screen.line();
  return printActions(screen, project, elsewhere(view.actions));
}

/** All but what is being looked at. */
function elsewhere(actions: readonly Action[]): Action[] {
  return actions.filter(({ id, with: input }) => id !== 'session.show' || input?.['step'] !== undefined);
}

async function showStep(
  cli: Cli,
  project: Project,
  id: string | undefined,
  step: number,
  options: ShowOptions,
): Promise<void> {
  const { screen } = cli;
  const view = await project.stepView(id, step);
  if (options.json) {
    const { session, worker, record, shown, context } = view;
    const { execution_payload: _shown, ...layers } = context.layers;
    return cli.json({ session, worker, ...record, shown, context: layers, prompts: context.prompts });
  }
  for (const line of stepLines(view, screen.style)) screen.verbatim(line);
  return cli.next(project, 'show', view.session, '--step', String(step), '--log');
}

/** The full output of the processes; of one step when a step is named. */
async function showLogs(
  cli: Cli,
  project: Project,
  id: string | undefined,
  step: number | undefined,
  options: ShowOptions,
): Promise<void> {
  const { screen } = cli;
  const { bold, dim } = screen.style;
  const { files, session } = await project.logFiles(id, step);
  if (options.json) return printLogsAsJson(screen, files);
  if (files.length === 0)
    screen.line(dim(step === undefined ? 'No process has written anything.' : `Step ${step} has no log.`));
  for (const file of files) {
    screen.line(bold(file));
    await printLog(screen, file);
    screen.line();
  }
  return cli.next(project, 'show', session);
}

/** A task of the backlog is shown by the same word. */
async function showStory(cli: Cli, project: Project, id: string, options: ShowOptions): Promise<void> {
  const story = await project.story(id);
  if (options.json) return cli.json(story);
  for (const line of storyLines(story, cli.screen.style)) cli.screen.line(line);
  if ((await printTaskNext(cli, project, story.id)) === 'printed') return;
  const session = story.runs.at(-1)?.sessionId;
  if (session !== undefined) cli.next(project, 'show', session);
}
