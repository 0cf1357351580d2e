import type { Command } from 'commander';
import { oneLine } from '../../../kernel/words.ts';
import type { Project } from '../../../project/project.ts';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions } from '../../cli.ts';
import { table } from '../../display/table.ts';

export function declareConflicts(program: Command, cli: Cli): void {
  program
    .command('conflicts')
    .description('show which sessions and tasks mean to change the same files')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((options: ProjectOptions) => conflicts(cli, options)));
}

async function conflicts(cli: Cli, options: ProjectOptions): Promise<void> {
  const { screen } = cli;
  const project = await cli.open(options);
  const found = await project.conflicts();
  if (options.json) return cli.json(found);
  const places = placesIn(found);
  if (places.length === 0) screen.line('No session plans to change anything, and no task waits for another.');
  const rows = places.map((place) => {
    const isOwn = ({ kind, id }: Who): boolean => kind === place.kind && id === place.id;
    const words = found.conflicts
      .filter(({ between }) => between.some(isOwn))
      .map(({ between: [a, b], path }) => `${oneLine(path)} with ${wordFor(isOwn(a) ? b : a)}`);
    const clashes = words.length === 0 ? '-' : words.join('; ');
    return [wordFor(place), place.status, place.priority, clashes];
  });
  if (rows.length > 0) {
    const head = ['who', 'status', 'priority', 'clashes on'];
    for (const line of table(head, rows, screen)) screen.line(line);
  }
  return cli.next(project, 'sessions');
}

type Found = Awaited<ReturnType<Project['conflicts']>>;
type Who = Found['conflicts'][number]['between'][number];

/** Every session that has a plan, and every task that clashes with somebody. */
function placesIn({ sessions, conflicts: clashes }: Found) {
  const tasks = clashes.flatMap(({ between }) => between).filter(({ kind }) => kind === 'task');
  return [
    ...sessions.map(({ id, status, priority }) => ({
      id,
      kind: 'session',
      status,
      priority: String(priority),
    })),
    ...[...new Set(tasks.map(({ id }) => id))].map((id) => ({
      id,
      kind: 'task',
      status: '-',
      priority: '-',
    })),
  ];
}

function wordFor({ kind, id }: { readonly kind: string; readonly id: string }): string {
  return kind === 'task' ? `task ${id}` : id;
}
