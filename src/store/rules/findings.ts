import {
  type Finding,
  type FindingsOf,
  type FoundAnswer,
  type Kept,
  type Known,
  type KnownClaim,
  type KnownEvidence,
  type KnownSearch,
  normalised,
  type Report,
  VERDICTS,
} from '../../backlog/findings.ts';
import { all, type Rule, run, sql } from './say.ts';

export function* knownOf(job: string): Rule<Known> {
  const claims = yield* all<KnownClaim>(sql`select id, text, status, confidence from research_claim
    where job = ${job} order by id`);
  const evidence = yield* all<Omit<KnownEvidence, 'fetched'> & { readonly fetched: number }>(
    sql`select c.text as claim, e.url, e.title, e.quote, e.stance, e.fetched
      from research_evidence e join research_claim c on c.id = e.claim where c.job = ${job} order by e.id`,
  );
  const searches = yield* all<KnownSearch>(sql`select c.text as claim, s.query
    from research_search s join research_claim c on c.id = s.claim where c.job = ${job} order by s.id`);
  return { claims, evidence: evidence.map((row) => ({ ...row, fetched: row.fetched === 1 })), searches };
}

export function* reportOf(job: string): Rule<Report | undefined> {
  const [report] = yield* all<Report>(sql`select body, confidence from research_report where job = ${job}`);
  return report;
}

export function* keepFindings(task: FindingsOf, answer: FoundAnswer, at: number): Rule<Kept> {
  const unknown: string[] = [];
  let sources = 0;
  const about: number[] = [];
  for (const finding of answer.findings) {
    const id = yield* claimFor(task, finding.claim);
    if (id === undefined) {
      unknown.push(finding.claim);
      continue;
    }
    about.push(id);
    sources += yield* addSources(id, finding);
    yield* judge(id, finding);
  }
  if (task.stage === 'challenge') yield* addSearches(task, about, answer.searched ?? []);
  if (task.stage === 'write' && answer.report !== undefined) {
    yield* run(sql`insert into research_report (job, at, confidence, body)
      values (${task.job}, ${at}, ${answer.confidence ?? null}, ${answer.report})
      on conflict (job) do update set at = excluded.at, confidence = excluded.confidence, body = excluded.body`);
  }
  return { claims: about.length, sources, unknown };
}

function* claimFor({ job, stage, claim: own }: FindingsOf, claim: string): Rule<number | undefined> {
  const known = yield* claimWith(job, claim);
  if (known !== undefined) return known;
  if (stage === 'plan') {
    const [made] = yield* all<{ id: number }>(sql`insert into research_claim (job, key, text, status)
      values (${job}, ${normalised(claim)}, ${claim}, 'open') returning id`);
    return made?.id;
  }
  // Said in other words, but the task was about one claim only.
  return own === undefined ? undefined : yield* claimWith(job, own);
}

function* claimWith(job: string, claim: string): Rule<number | undefined> {
  const [row] = yield* all<{ id: number }>(sql`select id from research_claim
    where job = ${job} and key = ${normalised(claim)}`);
  return row?.id;
}

function* addSources(claim: number, { sources }: Finding): Rule<number> {
  let added = 0;
  for (const { url, title, quote, stance, fetched } of sources) {
    added += yield* run(sql`insert into research_evidence (claim, url, title, quote, stance)
      values (${claim}, ${url}, ${title}, ${quote}, ${stance}) on conflict (claim, url) do nothing`);
    if (fetched === true)
      yield* run(sql`update research_evidence set fetched = 1 where claim = ${claim} and url = ${url}`);
  }
  return added;
}

/** They were about the claim of the task, else about those that the answer names; one that names none looked at all. */
function* addSearches(
  { job, claim: own }: FindingsOf,
  about: readonly number[],
  searched: readonly string[],
): Rule<void> {
  const one = own === undefined ? undefined : yield* claimWith(job, own);
  const every = yield* all<{ id: number }>(sql`select id from research_claim where job = ${job}`);
  const ids = one !== undefined ? [one] : about.length > 0 ? about : every.map(({ id }) => id);
  for (const id of ids) {
    for (const query of searched)
      yield* run(sql`insert into research_search (claim, query) values (${id}, ${query})
        on conflict (claim, query) do nothing`);
  }
}

function* judge(id: number, { verdict, confidence }: Finding): Rule<void> {
  if (verdict === undefined && confidence === undefined) return;
  const status = verdict === undefined ? null : VERDICTS[verdict];
  yield* run(sql`update research_claim set status = coalesce(${status}, status),
    confidence = coalesce(${confidence ?? null}, confidence) where id = ${id}`);
}
