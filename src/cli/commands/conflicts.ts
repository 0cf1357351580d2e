import type { Holder } from '../../backlog/scope.ts';
import { openProject } from '../../project/open.ts';
import { openStore } from '../../store/open.ts';
import { table } from '../display/table.ts';
import type { Screen } from '../output.ts';

export interface ConflictsOptions {
  readonly dir?: string;
  readonly json?: true;
}

/** Which sessions mean to change the same files. */
export async function conflicts(screen: Screen, options: ConflictsOptions): Promise<number> {
  const { project } = openProject(options.dir);
  const store = openStore(project.folder);
  try {
    const { plans } = store;
    const [sessions, found] = await Promise.all([plans.sessions(), plans.conflicts()]);
    if (options.json) {
      screen.json({ sessions, conflicts: found });
      return 0;
    }
    const { cyan, dim } = screen.style;
    const tasks = found.flatMap(({ between }) => between).filter(({ kind }) => kind === 'task');
    const places = [
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
    if (places.length === 0)
      screen.line('No session plans to change anything, and no task waits for another.');
    const rows = places.map(({ id, kind, status, priority }) => {
      const own = ({ kind: of, id: is }: Holder): boolean => of === kind && is === id;
      const words = found
        .filter(({ between }) => between.some(own))
        .map(({ between: [a, b], path }) => `${path} with ${wordFor(own(a) ? b : a)}`);
      return [wordFor({ kind, id }), status, priority, words.length === 0 ? '-' : words.join('; ')];
    });
    if (rows.length > 0) {
      for (const line of table(['who', 'status', 'priority', 'clashes on'], rows, dim)) screen.line(line);
    }
    screen.line(`${cyan('next:')} ${project.command('sessions')}`);
    return 0;
  } finally {
    store.close();
  }
}

function wordFor({ kind, id }: { readonly kind: string; readonly id: string }): string {
  return kind === 'task' ? `task ${id}` : id;
}
