import type { Task } from '../../backlog/task.ts';
import { type Action, action } from '../../kernel/action.ts';
import type { Role } from '../../kernel/runtime-words.ts';
import { WAITED_FOR } from '../../kernel/wait-cause.ts';
import { type AgentBlock, agentBlocks } from './line.ts';
import { all, type Rule, sql } from './say.ts';

interface Known {
  readonly at: number;
  /** The configured agents of a role, for tasks that name none. */
  readonly agentsOf: (role: Role) => readonly string[];
}

interface Wait {
  readonly waitsFor?: string;
  readonly waitsUntil?: number;
  readonly next?: Action;
}

export function* withWaits(tasks: readonly Task[], { at, agentsOf }: Known): Rule<Task[]> {
  const blocks = yield* agentBlocks(at);
  const leases = yield* all<{ task: string; agent: string; expires_at: number }>(
    sql`select task, agent, expires_at from lease`,
  );
  const open = yield* openDependencies();
  const held = new Set(
    (yield* all<{ id: string }>(sql`select id from task where held_by is not null`)).map(idOf),
  );
  const blockOf = new Map(blocks.map((block) => [block.agent, block]));
  const leaseOf = new Map(leases.map((lease) => [lease.task, lease]));
  const waitOf = (task: Task): Wait | undefined => {
    if (task.state === 'running') {
      const lease = leaseOf.get(task.id);
      return lease && { waitsFor: `its run by ${lease.agent}`, waitsUntil: lease.expires_at };
    }
    if (held.has(task.id) && task.allowedPaths.length === 0) return { next: sayPaths(task.id) };
    if (task.state !== 'queued' || task.waitsFor !== undefined) return undefined;
    const needs = open.get(task.id);
    if (needs) return { waitsFor: `task ${needs.join(', ')}` };
    const agents = task.agents.length > 0 ? task.agents : agentsOf(task.role);
    return quotaWait(agents.map((agent) => blockOf.get(agent))) ?? { waitsFor: `a free ${task.role}` };
  };
  return tasks.map((task) => ({ ...task, ...waitOf(task) }));
}

/** Without allowed paths it waits for everybody who may change files. */
function sayPaths(task: string): Action {
  return {
    ...action('task.edit', 'Say which paths it may change', { task }),
    why: 'Then it waits only for those who may change the same files.',
    needs: ['allow'],
  };
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

/** All of its agents are out of quota: it waits for the first that is back. */
function quotaWait(spent: readonly (AgentBlock | undefined)[]): Wait | undefined {
  const blocks = spent.filter((block) => block !== undefined);
  if (blocks.length === 0 || blocks.length < spent.length) return undefined;
  const [first] = blocks.toSorted((a, b) => a.until - b.until);
  return first && { waitsFor: `${WAITED_FOR[first.cause]} of ${first.agent}`, waitsUntil: first.until };
}

/** What tasks still wait for, each with the state it is in when it will not end by itself. */
function* openDependencies(): Rule<Map<string, string[]>> {
  const rows = yield* all<{
    task: string;
    needs: string;
    state: string;
  }>(sql`select d.task, d.needs, other.state
    from task_dependency d join task on task.id = d.task join task as other on other.id = d.needs
    where task.state = 'queued' and other.state <> 'done'`);
  const open = new Map<string, string[]>();
  for (const { task, needs, state } of rows) {
    const word = state === 'queued' || state === 'running' ? needs : `${needs} (${state})`;
    open.set(task, [...(open.get(task) ?? []), word]);
  }
  return open;
}
