import { sql } from 'kysely';
import type { Role } from '../../config/runtime/settings.ts';
import type { Query } from '../../store/database.ts';
import type { Task } from './task.ts';

interface Known {
  readonly now: number;
  /** The configured agents of a role, for tasks that name none. */
  readonly agentsOf: (role: Role) => readonly string[];
}

interface Wait {
  readonly waitsFor: string;
  readonly waitsUntil?: number;
}

/** Tasks with what they wait for now, also where that is not written down: in line, and while they run. */
export async function withWaits(query: Query, tasks: readonly Task[], known: Known): Promise<Task[]> {
  const [blocks, leases, open] = await Promise.all([
    query.selectFrom('agent_block').selectAll().where('until', '>', known.now).execute(),
    query.selectFrom('lease').select(['task', 'agent', 'expires_at']).execute(),
    openDependencies(query),
  ]);
  const blockOf = new Map(blocks.map((block) => [block.agent, block]));
  const leaseOf = new Map(leases.map((lease) => [lease.task, lease]));
  const waitOf = (task: Task): Wait | undefined => {
    if (task.state === 'running') {
      const lease = leaseOf.get(task.id);
      return lease && { waitsFor: `its run by ${lease.agent}`, waitsUntil: lease.expires_at };
    }
    if (task.state !== 'queued' || task.waitsFor !== undefined) return undefined;
    const needs = open.get(task.id);
    if (needs) return { waitsFor: `task ${needs.join(', ')}` };
    const agents = task.agents.length > 0 ? task.agents : known.agentsOf(task.role);
    const spent = agents.map((agent) => blockOf.get(agent));
    if (spent.length > 0 && spent.every((block) => block !== undefined)) {
      const [first] = spent.toSorted((a, b) => a.until - b.until);
      if (first) return { waitsFor: `quota of ${first.agent}`, waitsUntil: first.until };
    }
    return { waitsFor: `a free ${task.role}` };
  };
  return tasks.map((task) => ({ ...task, ...waitOf(task) }));
}

/** What tasks still wait for, each with the state it is in when it will not end by itself. */
async function openDependencies(query: Query): Promise<Map<string, string[]>> {
  const { rows } = await sql<{
    task: string;
    needs: string;
    state: string;
  }>`select d.task, d.needs, other.state
    from task_dependency d join task on task.id = d.task join task as other on other.id = d.needs
    where task.state = 'queued' and other.state <> 'done'`.execute(query);
  const open = new Map<string, string[]>();
  for (const { task, needs, state } of rows) {
    const word = state === 'queued' || state === 'running' ? needs : `${needs} (${state})`;
    open.set(task, [...(open.get(task) ?? []), word]);
  }
  return open;
}
