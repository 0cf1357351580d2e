import { sql } from 'kysely';
import type { ProcessIdentity } from '../../process/identity.ts';
import type { Query } from '../../store/database.ts';
import { agentsOf, taskOf } from '../backlog/row.ts';
import { changeState } from '../backlog/states.ts';
import type { TaskRow } from '../backlog/task.ts';
import {
  agentBlocks,
  dutiesOf,
  headsOf,
  hold,
  type InLine,
  letThrough,
  passedOver,
  wakeDue,
} from './line.ts';
import type { Claim, ClaimRequest } from './scheduler.ts';
import { obstacleAmong, occupy, runningObstacle, type Scope, scopeOf } from './scope.ts';

/** How many tasks one transaction looks at; others wait for the database meanwhile. */
const LOOK_AT_MOST = 64;

export interface Claimant {
  readonly request: ClaimRequest;
  readonly owner: ProcessIdentity;
  readonly at: number;
  readonly newId: () => string;
}

/** The next task in line, taken; `more`: none yet, but not all of the line was looked at. */
export async function claimNext(query: Query, claimant: Claimant): Promise<Claim | 'more' | undefined> {
  const { request, at } = claimant;
  const duties = await dutiesOf(query, request.role, at);
  const blocked = new Set(duties.blocks ? (await agentBlocks(query, at)).map(({ agent }) => agent) : []);
  const free = (task: InLine): boolean => freeAgents(task, request, blocked) !== undefined;
  if (duties.due) await wakeDue(query, at);
  const first: { readonly id: string; readonly scope: Scope }[] = [];
  if (duties.passed) {
    for (const task of (await passedOver(query, request.role, at)).filter(free)) {
      const scope = scopeOf(task, request.mode);
      const obstacle = obstacleAmong(first, scope) ?? (await runningObstacle(query, scope));
      if (!obstacle) return begin(query, task, scope, claimant, blocked);
      first.push({ id: task.id, scope });
    }
  }
  if (duties.held) {
    const closed = first.map(({ scope }) => scope.key);
    await letThrough(query, closed);
  }
  for (let looked = 0; looked < LOOK_AT_MOST; looked++) {
    const task = (await headsOf(query, request.role)).find(free);
    if (!task) return undefined;
    const scope = scopeOf(task, request.mode);
    const obstacle = obstacleAmong(first, scope) ?? (await runningObstacle(query, scope));
    if (!obstacle) return begin(query, task, scope, claimant, blocked);
    await hold(query, task, obstacle, at);
  }
  return 'more';
}

/** The agents that a task may use now; undefined when all of them are out of quota. */
export function freeAgents(
  task: Pick<TaskRow, 'lane'>,
  { agents }: ClaimRequest,
  blocked: ReadonlySet<string>,
): readonly string[] | undefined {
  const named = task.lane === '' ? agents : agentsOf(task.lane);
  const free = named.filter((agent) => !blocked.has(agent));
  return free.length > 0 || named.length === 0 ? free : undefined;
}

async function begin(
  query: Query,
  task: InLine,
  scope: Scope,
  { request, owner, at, newId }: Claimant,
  blocked: ReadonlySet<string>,
): Promise<Claim> {
  const { agentId, leaseMs } = request;
  const epoch = task.epoch + 1;
  const continues = task.session !== null;
  const attempt = continues ? Math.max(1, task.attempts) : task.attempts + 1;
  const [runId, sessionId] = [newId(), task.session ?? newId()];
  const changed = await changeState(query, task, {
    to: 'running',
    reason: `claimed by ${agentId}, attempt ${attempt}`,
    at,
    epoch,
    attempts: attempt,
    session: sessionId,
    waitsFor: `its run by ${agentId}`,
  });
  await sql`insert into run (task, id, attempt, session, agent, epoch, state, started_at)
    values (${task.id}, ${runId}, ${attempt}, ${sessionId}, ${agentId}, ${epoch}, 'running', ${at})`.execute(
    query,
  );
  const paths = JSON.stringify(scope.patterns.map(({ prefix }) => prefix));
  await sql`insert into lease
      (task, run, agent, epoch, host, pid, start_time, scope, paths, expires_at, lease_ms, beat)
    values (${task.id}, ${runId}, ${agentId}, ${epoch}, ${owner.host}, ${owner.pid}, ${owner.startTime},
      ${scope.key}, ${paths}, ${at + leaseMs}, ${leaseMs}, 0)`.execute(query);
  await occupy(query, task.id, scope);
  return {
    task: taskOf(changed, JSON.parse(changed.needs)),
    runId,
    sessionId,
    attempt,
    epoch,
    leaseMs,
    agents: freeAgents(task, request, blocked) ?? [],
    continues,
  };
}
