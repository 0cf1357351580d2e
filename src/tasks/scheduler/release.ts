import { sql } from 'kysely';
import type { Query } from '../../store/database.ts';
import { mayRetry } from '../backlog/retries.ts';
import { changeState, type StateChange } from '../backlog/states.ts';
import type { RunState, TaskRow } from '../backlog/task.ts';
import type { Artifact, Claim, Release } from './scheduler.ts';
import { vacate } from './scope.ts';

export interface ReleaseRules {
  readonly at: number;
  /** How long a failed task rests before it is tried again. */
  readonly coolDownMs: number;
}

/** Task, run, artifacts and lease in one go; false when the claim is not the newest any more. */
export async function releaseClaim(
  query: Query,
  claim: Claim,
  release: Release,
  rules: ReleaseRules,
): Promise<boolean> {
  const task = await ownedTask(query, claim);
  if (!task) return false;
  const { at } = rules;
  await recordArtifacts(query, claim, release.artifacts ?? [], at);
  await endRun(query, task.id, claim.runId, { state: runStateOf(release), outcome: release.outcome, at });
  await vacate(query, task.id);
  await changeState(query, task, stateChange(task, release, rules));
  if (release.state === 'blocked' && release.block === 'quota_wait' && release.agent !== undefined)
    await blockAgent(query, release.agent, { until: release.until, reason: release.reason, at });
  return true;
}

/** The row of the claimed task, if the claim still counts. */
export async function ownedTask(query: Query, claim: Claim): Promise<TaskRow | undefined> {
  const { rows } = await sql<TaskRow>`select task.* from lease join task on task.id = lease.task
    where lease.task = ${claim.task.id} and lease.epoch = ${claim.epoch} and lease.expires_at > 0`.execute(
    query,
  );
  return rows[0];
}

export async function recordArtifacts(
  query: Query,
  { task, runId }: Claim,
  artifacts: readonly Artifact[],
  at: number,
): Promise<void> {
  for (const { type, ref, data } of artifacts) {
    await sql`insert into artifact (task, run, type, ref, data, created_at)
      values (${task.id}, ${runId}, ${type}, ${ref}, ${data === undefined ? null : JSON.stringify(data)}, ${at})
      on conflict (task, run, type, ref) do update set data = excluded.data`.execute(query);
  }
}

export async function endRun(
  query: Query,
  task: string,
  id: string,
  { state, outcome, at }: { readonly state: RunState; readonly outcome?: unknown; readonly at: number },
): Promise<void> {
  await sql`update run set state = ${state}, finished_at = ${at},
    outcome = ${outcome === undefined ? null : JSON.stringify(outcome)} where task = ${task} and id = ${id}`.execute(
    query,
  );
}

export async function blockAgent(
  query: Query,
  agent: string,
  { until, reason, at }: { readonly until: number; readonly reason: string; readonly at: number },
): Promise<void> {
  await sql`insert into agent_block (agent, until, reason, since) values (${agent}, ${until}, ${reason}, ${at})
    on conflict (agent) do update set until = max(agent_block.until, excluded.until),
      reason = excluded.reason`.execute(query);
}

function runStateOf(release: Release): RunState {
  if (release.runState) return release.runState;
  switch (release.state) {
    case 'done':
      return 'success';
    case 'failed':
      return 'failed';
    case 'blocked':
      return release.block === 'awaiting_judge' ? 'success' : 'failed';
    default:
      return 'cancelled';
  }
}

function stateChange(task: TaskRow, release: Release, { at, coolDownMs }: ReleaseRules): StateChange {
  const { reason, notes } = release;
  const base = { reason, at, ...(notes === undefined ? {} : { notes }) };
  switch (release.state) {
    case 'done':
      return { ...base, to: 'done', session: null, failureCode: null, quotaHits: 0 };
    case 'cancelled':
      return { ...base, to: 'cancelled', session: null };
    case 'queued': {
      const { until, waitsFor } = release;
      return {
        ...base,
        to: 'queued',
        ...(waitsFor === undefined ? {} : { waitsFor }),
        ...(until === undefined ? {} : { until, wakeAt: until }),
      };
    }
    case 'failed': {
      const failed = { ...base, to: 'failed', session: null, failureCode: release.failureCode } as const;
      if (!mayRetry(release.category, task.attempts)) return failed;
      const until = at + coolDownMs;
      return { ...failed, waitsFor: 'its next attempt, after a rest', until, wakeAt: until };
    }
    default:
      return blockedChange(task, release, base);
  }
}

function blockedChange(
  task: TaskRow,
  release: Extract<Release, { state: 'blocked' }>,
  base: Pick<StateChange, 'reason' | 'at' | 'notes'>,
): StateChange {
  if (release.block === 'quota_wait') {
    const { until, agent } = release;
    const waitsFor = agent === undefined ? 'quota' : `quota of ${agent}`;
    const quotaHits = task.quota_hits + 1;
    return { ...base, to: 'blocked', block: 'quota_wait', waitsFor, until, wakeAt: until, quotaHits };
  }
  const usual =
    release.block === 'awaiting_judge' ? "a person's verdict" : 'a person who reads why, and requeues it';
  return {
    ...base,
    to: 'blocked',
    block: release.block,
    waitsFor: release.waitsFor ?? usual,
    session: null,
    quotaHits: 0,
    failureCode: release.failureCode ?? null,
  };
}
