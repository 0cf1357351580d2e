import { type Rows, sql } from '../../store/rows.ts';
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
export function releaseClaim(query: Rows, claim: Claim, release: Release, rules: ReleaseRules): boolean {
  const task = ownedTask(query, claim);
  if (!task) return false;
  const { at } = rules;
  recordArtifacts(query, claim, release.artifacts ?? [], at);
  endRun(query, task.id, claim.runId, { state: runStateOf(release), outcome: release.outcome, at });
  vacate(query, task.id);
  changeState(query, task, stateChange(task, release, rules));
  if (release.state === 'blocked' && release.block === 'quota_wait' && release.agent !== undefined)
    blockAgent(query, release.agent, { until: release.until, reason: release.reason, at });
  return true;
}

/** The row of the claimed task, if the claim still counts. */
export function ownedTask(query: Rows, claim: Claim): TaskRow | undefined {
  const rows = query.all<TaskRow>(sql`select task.* from lease join task on task.id = lease.task
    where lease.task = ${claim.task.id} and lease.epoch = ${claim.epoch} and lease.expires_at > 0`);
  return rows[0];
}

export function recordArtifacts(
  query: Rows,
  { task, runId }: Claim,
  artifacts: readonly Artifact[],
  at: number,
): void {
  for (const { type, ref, data } of artifacts) {
    query.run(sql`insert into artifact (task, run, type, ref, data, created_at)
      values (${task.id}, ${runId}, ${type}, ${ref}, ${data === undefined ? null : JSON.stringify(data)}, ${at})
      on conflict (task, run, type, ref) do update set data = excluded.data`);
  }
}

export function endRun(
  query: Rows,
  task: string,
  id: string,
  { state, outcome, at }: { readonly state: RunState; readonly outcome?: unknown; readonly at: number },
): void {
  query.run(sql`update run set state = ${state}, finished_at = ${at},
    outcome = ${outcome === undefined ? null : JSON.stringify(outcome)} where task = ${task} and id = ${id}`);
}

export function blockAgent(
  query: Rows,
  agent: string,
  { until, reason, at }: { readonly until: number; readonly reason: string; readonly at: number },
): void {
  query.run(sql`insert into agent_block (agent, until, reason, since) values (${agent}, ${until}, ${reason}, ${at})
    on conflict (agent) do update set until = max(agent_block.until, excluded.until),
      reason = excluded.reason`);
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
    const waitsFor = agent === undefined ? (release.waitsFor ?? 'quota') : `quota of ${agent}`;
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
