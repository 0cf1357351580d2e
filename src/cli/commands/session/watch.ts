import type { Command } from 'commander';
import { count, oneLine } from '../../../kernel/words.ts';
import { toLookAt } from '../../choose.ts';
import { type Cli, commandFor, DIR, JSON_LINES, type ProjectOptions, SESSION } from '../../cli.ts';
import { openDisplay } from '../../display/display.ts';
import { Attempts } from '../../display/steps.ts';
import { printActions } from '../../session-end.ts';
import { Stops } from '../../stops.ts';

export function declareWatch(program: Command, cli: Cli): void {
  program
    .command('watch')
    .description('show a session that another process runs, as it happens')
    .argument('[session]', SESSION)
    .option(...DIR)
    .option(...JSON_LINES)
    .action(cli.action((id: string | undefined, options: ProjectOptions) => watch(cli, id, options)));
}

async function watch(cli: Cli, id: string | undefined, options: ProjectOptions): Promise<number | undefined> {
  const { screen } = cli;
  const json = options.json ?? false;
  const project = await cli.open(options);
  const watching = await project.watch(await toLookAt(cli, project, id, options));
  const { session } = watching;
  const display = await openDisplay(
    screen,
    {
      manifest: watching.manifest,
      attempts: new Attempts(session.trail),
      answerWith: (task) => commandFor(project, 'answer', session.id, '<answer>', '--task', task),
    },
    { json },
  );
  const stops = new Stops(screen, { interrupt: () => watching.stop(), lastWord: () => display.close() });
  try {
    // A script cannot know otherwise from when on it misses nothing.
    if (json) screen.json({ type: 'watch.began', session: session.id, at: watching.at ?? null });
    else display.line(`${screen.style.bold(oneLine(session.goal))}  ${screen.style.dim(session.id)}`);
    for await (const event of watching.events) {
      if (event.type !== 'watch.skipped') display.event(event);
      else if (json) screen.json(event);
      else display.line(screen.style.dim(`${count(event.count, 'event')} passed by unseen`));
    }
  } finally {
    display.close();
    stops.close();
  }
  // Leaving it is not an interruption of the session.
  if (stops.requested) return 0;
  const end = await project.session(session.id);
  if (json) cli.json({ type: 'result', session: end.id, status: end.status, exitCode: 0 });
  else {
    screen.line(`${end.word} after ${count(end.used.steps, 'step')}`);
    printActions(screen, project, end.actions);
  }
  return 0;
}
