import { type Area, type ChangeSet, changeSetIn, obstacleAmong } from '../../backlog/change-set.ts';
import type { Claim, ClaimRequest } from '../../backlog/scheduler.ts';
import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import type { Role } from '../../kernel/runtime-words.ts';
import {
  agentBlocks,
  hold,
  type InLine,
  inLineById,
  letThrough,
  lookAtLine,
  passedOver,
  wakeDue,
} from './line.ts';
import { obstacleTo, occupy } from './paths.ts';
import { agentsOf, taskOf } from './row.ts';
import type { TaskRow } from './rows.ts';
import { all, type Rule, run, sql } from './say.ts';
import { changeState } from './states.ts';

/** How many tasks one transaction looks at; others wait for the database meanwhile. */
const LOOK_AT_MOST = 64;

export interface Claimant {
  readonly request: ClaimRequest;
  readonly owner: ProcessIdentity;
  readonly at: number;
  readonly newId: () => string;
  readonly areas: readonly Area[];
}

/** What one transaction took of the line; `more`: not all of it was looked at. */
export interface Taken {
  readonly claims: readonly Claim[];
  readonly more: boolean;
}

/** Takes the next tasks in line, as many as there are places. */
export function* claimNext(claimant: Claimant, wanted: number): Rule<Taken> {
  const { request, at } = claimant;
  const { role, most } = request;
  const places = most === undefined ? wanted : Math.min(wanted, most - (yield* atWork(role)));
  if (places <= 0) return { claims: [], more: false };
  let look = yield* lookAtLine({ role, at, places });
  const { duties } = look;
  const blocked = new Set(duties.blocks ? (yield* agentBlocks(at)).map(({ agent }) => agent) : []);
  const free = (task: InLine): boolean => freeAgents(task, request, blocked) !== undefined;
  function* take(task: InLine, changes: ChangeSet): Rule<void> {
    claims.push(yield* begin(task, changes, claimant, blocked));
  }
  const claims: Claim[] = [];
  if (duties.due) yield* wakeDue(at);
  if (request.only !== undefined) {
    if (duties.held) yield* letThrough([]);
    const task = yield* inLineById(request.only);
    const changes = task && changesOf(task, claimant);
    if (task && changes && free(task) && !(yield* obstacleTo(changes))) yield* take(task, changes);
    return { claims, more: false };
  }
  const first: { readonly id: string; readonly changes: ChangeSet }[] = [];
  for (const task of duties.passed ? (yield* passedOver(role, at)).filter(free) : []) {
    if (claims.length === places) return { claims, more: false };
    const changes = changesOf(task, claimant);
    const obstacle = obstacleAmong(first, changes) ?? (yield* obstacleTo(changes));
    if (obstacle) first.push({ id: task.id, changes });
    else yield* take(task, changes);
  }
  const closed = first.map(({ changes }) => changes.key);
  if (duties.held) yield* letThrough(closed);
  if (duties.due || duties.held || claims.length > 0) look = yield* lookAtLine({ role, at, places });
  for (let looked = 0; claims.length < places; looked++) {
    if (looked === LOOK_AT_MOST) return { claims, more: true };
    const task = look.next(free);
    if (!task) break;
    const changes = changesOf(task, claimant);
    const obstacle = obstacleAmong(first, changes) ?? (yield* obstacleTo(changes));
    if (!obstacle) {
      yield* take(task, changes);
      continue;
    }
    yield* hold(task, obstacle, at);
    look = yield* lookAtLine({ role, at, places });
  }
  return { claims, more: false };
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

function* begin(
  task: InLine,
  changes: ChangeSet,
  { request, owner, at, newId }: Claimant,
  blocked: ReadonlySet<string>,
): Rule<Claim> {
  const { agentId, leaseMs } = request;
  const epoch = task.epoch + 1;
  const continues = task.session !== null;
  const attempt = continues ? Math.max(1, task.attempts) : task.attempts + 1;
  const waitsFor = `its run by ${agentId}`;
  const [runId, sessionId] = [newId(), task.session ?? newId()];
  yield* changeState(task, {
    to: 'running',
    reason: `claimed by ${agentId}, attempt ${attempt}`,
    at,
    epoch,
    attempts: attempt,
    session: sessionId,
    waitsFor,
  });
  yield* run(sql`insert into run (task, id, attempt, session, agent, epoch, state, started_at)
    values (${task.id}, ${runId}, ${attempt}, ${sessionId}, ${agentId}, ${epoch}, 'running', ${at})`);
  const paths = JSON.stringify(changes.patterns.map(({ prefix }) => prefix));
  yield* run(sql`insert into lease
      (task, run, agent, epoch, host, pid, start_time, scope, paths, expires_at, lease_ms, beat)
    values (${task.id}, ${runId}, ${agentId}, ${epoch}, ${owner.host}, ${owner.pid}, ${owner.startTime},
      ${changes.key}, ${paths}, ${at + leaseMs}, ${leaseMs}, 0)`);
  yield* occupy({ kind: 'task', id: task.id }, changes);
  const advanced = continues && (yield* hasAdvanced(task.id, sessionId));
  return {
    task: taskOf(
      {
        ...task,
        state: 'running',
        waits_for: waitsFor,
        attempts: attempt,
        epoch,
        session: sessionId,
        updated_at: at,
      },
      JSON.parse(task.needs),
    ),
    runId,
    sessionId,
    attempt,
    epoch,
    leaseMs,
    agents: freeAgents(task, request, blocked) ?? [],
    continues,
    ...(advanced ? { advanced } : {}),
  };
}

function* hasAdvanced(task: string, session: string): Rule<boolean> {
  const rows = yield* all(
    sql`select 1 from run where task = ${task} and session = ${session} and advanced = 1`,
  );
  return rows.length > 0;
}

function* atWork(role: Role): Rule<number> {
  const [found] = yield* all<{ running: number }>(sql`select count(*) as running
    from lease join task on task.id = lease.task where task.role = ${role}`);
  return found?.running ?? 0;
}

function changesOf(task: InLine, { request: { mode }, areas }: Claimant): ChangeSet {
  return changeSetIn(JSON.parse(task.scope), task, { mode, areas });
}
