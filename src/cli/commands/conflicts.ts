import { openPlans } from '../../project/files/turns.ts';
import { openProject } from '../../project/open.ts';
import { table } from '../display/table.ts';
import type { Screen } from '../output.ts';

export interface ConflictsOptions {
  readonly dir?: string;
  readonly json?: true;
}

/** Which sessions mean to change the same files. */
export async function conflicts(screen: Screen, options: ConflictsOptions): Promise<number> {
  const { project } = openProject(options.dir);
  const { plans, database } = openPlans(project);
  try {
    const [sessions, found] = await Promise.all([plans.sessions(), plans.conflicts()]);
    if (options.json) {
      screen.json({ sessions, conflicts: found });
      return 0;
    }
    const { cyan, dim } = screen.style;
    if (sessions.length === 0) screen.line('No session plans to change anything.');
    const rows = sessions.map(({ id, status, priority }) => {
      const clashes = found.filter((conflict) => conflict.sessions.includes(id));
      const words = clashes.map(({ sessions: [a, b], path }) => `${path} with ${a === id ? b : a}`);
      return [id, status, String(priority), words.length === 0 ? '-' : words.join('; ')];
    });
    if (rows.length > 0) {
      for (const line of table(['session', 'status', 'priority', 'clashes on'], rows, dim)) screen.line(line);
    }
    screen.line(`${cyan('next:')} ${project.command('sessions')}`);
    return 0;
  } finally {
    database.close();
  }
}
