import { all, type Rule, sql } from './say.ts';

/** Which of the small tables differ from before: each mark changes with what it stands for, and with nothing else. */
export interface Marks {
  readonly runs: string;
  readonly leases: string;
  readonly runtimes: string;
  readonly agents: string;
  readonly plans: string;
  readonly spend: string;
  /** By job. */
  readonly research: { readonly [job: string]: string };
}

type Mark = { readonly mark: string | null };

/** That somebody is still alive is no change: renewals and beats are left out. */
export function* marksOf(): Rule<Marks> {
  const [runs] = yield* all<Mark>(
    sql`select count(*) || ' ' || coalesce(max(id), '') || ' ' || coalesce(max(finished_at), '') as mark from run`,
  );
  const [leases] = yield* all<Mark>(
    sql`select group_concat(task || ' ' || epoch || ' ' || agent) as mark from lease`,
  );
  const [runtimes] = yield* all<Mark>(sql`select group_concat(id || ' ' || state) as mark from runtime`);
  const [agents] = yield* all<Mark>(sql`select group_concat(agent || ' ' || until) as mark from agent_block`);
  const [plans] = yield* all<Mark>(sql`select
    (select group_concat(id || ' ' || status || ' ' || priority) from plan_session) || ' ' ||
    (select count(*) from planned_path) as mark`);
  const [spend] = yield* all<Mark>(sql`select
    (select coalesce(max(seq), 0) from spend) || ' ' || (select coalesce(max(seq), 0) from spend_raise) as mark`);
  const claims = yield* all<Mark & { readonly job: string }>(sql`select job, count(*) || ' ' ||
    group_concat(claim.status || coalesce(claim.confidence, '')) || ' ' ||
    (select count(*) from research_evidence e where e.claim in
      (select id from research_claim c where c.job = claim.job)) || ' ' ||
    (select coalesce(max(at), 0) from research_report r where r.job = claim.job) as mark
    from research_claim as claim group by job`);
  return {
    runs: runs?.mark ?? '',
    leases: leases?.mark ?? '',
    runtimes: runtimes?.mark ?? '',
    agents: agents?.mark ?? '',
    plans: plans?.mark ?? '',
    spend: spend?.mark ?? '',
    research: Object.fromEntries(claims.map(({ job, mark }) => [job, mark ?? ''])),
  };
}
