import { oneLine } from '../kernel/words.ts';
import type { Project } from '../project/project.ts';
import { type Cli, commandFor } from './cli.ts';
import { printActions } from './session-end.ts';

const MOST = 3;

/** What a person can do about tasks that wait for them: about one, or about those that have waited longest. */
export async function printTaskNext(
  { screen }: Cli,
  project: Project,
  only?: string,
): Promise<'printed' | 'nothing'> {
  const all = (await project.needsYou()).filter(({ task }) => task !== undefined);
  const waiting = only === undefined ? all : all.filter(({ task }) => task === only);
  for (const { title, what, actions } of waiting.slice(0, MOST)) {
    if (only === undefined) screen.line(`${oneLine(title)}: ${oneLine(what)}`);
    // Whoever asked about one task is looking at it.
    const others = only === undefined ? actions : actions.filter(({ id }) => id !== 'task.show');
    printActions(screen, project, others);
  }
  const more = waiting.length - MOST;
  if (more > 0)
    screen.line(screen.style.dim(`and ${more} more: ${commandFor(project, 'ps', '--needs-you')}`));
  return waiting.length > 0 ? 'printed' : 'nothing';
}
