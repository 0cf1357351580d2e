import {
  type Artifact,
  changeOf,
  type Release,
  type ReleaseRules,
  runStateOf,
} from '../../backlog/release.ts';
import type { Claim } from '../../backlog/scheduler.ts';
import type { RunState } from '../../backlog/words.ts';
import type { AgentBlock } from './line.ts';
import { vacate } from './paths.ts';
import type { TaskRow } from './rows.ts';
import { all, type Rule, run, sql } from './say.ts';
import { changeState } from './states.ts';

/** Task, run, artifacts and lease in one go; false when the claim is no longer the newest. */
export function* releaseClaim(claim: Claim, release: Release, rules: ReleaseRules): Rule<boolean> {
  const task = yield* ownedTask(claim);
  if (!task) return false;
  const { at } = rules;
  yield* recordArtifacts(claim, release.artifacts ?? [], at);
  yield* endRun(task.id, claim.runId, { state: runStateOf(release), outcome: release.outcome, at });
  yield* vacate(task.id);
  const change = changeOf(
    { ...task, quotaHits: task.quota_hits, failures: JSON.parse(task.failures) },
    release,
    rules,
  );
  yield* changeState(task, change);
  if (release.state === 'blocked' && release.block === 'quota_wait' && release.agent !== undefined) {
    const { agent, cause, reason } = release;
    yield* blockAgent({ agent, cause, reason, until: change.until ?? release.until }, at);
  }
  return true;
}

/** The row of the claimed task, if the claim still counts. */
function* ownedTask(claim: Pick<Claim, 'task' | 'epoch'>): Rule<TaskRow | undefined> {
  const rows = yield* all<TaskRow>(sql`select task.* from lease join task on task.id = lease.task
    where lease.task = ${claim.task.id} and lease.epoch = ${claim.epoch}`);
  return rows[0];
}

function* recordArtifacts({ task, runId }: Claim, artifacts: readonly Artifact[], at: number): Rule<void> {
  for (const { type, ref, data } of artifacts) {
    yield* run(sql`insert into artifact (task, run, type, ref, data, created_at)
      values (${task.id}, ${runId}, ${type}, ${ref}, ${data === undefined ? null : JSON.stringify(data)}, ${at})
      on conflict (task, run, type, ref) do update set data = excluded.data`);
  }
}

export function* endRun(
  task: string,
  id: string,
  { state, outcome, at }: { readonly state: RunState; readonly outcome?: unknown; readonly at: number },
): Rule<void> {
  yield* run(sql`update run set state = ${state}, finished_at = ${at},
    outcome = ${outcome === undefined ? null : JSON.stringify(outcome)} where task = ${task} and id = ${id}`);
}

function* blockAgent({ agent, until, reason, cause }: AgentBlock, at: number): Rule<void> {
  yield* run(sql`insert into agent_block (agent, until, reason, since, cause)
    values (${agent}, ${until}, ${reason}, ${at}, ${cause})
    on conflict (agent) do update set until = case
        when agent_block.since <= excluded.since then max(agent_block.until, excluded.until) else excluded.until end,
      since = excluded.since, reason = excluded.reason, cause = excluded.cause`);
}
