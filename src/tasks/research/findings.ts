import { sql } from 'kysely';
import type { Database, Query } from '../../store/database.ts';
import type { Finding, ResearchAnswer } from './answer.ts';
import type { ResearchInput } from './input.ts';

export type FindingStatus = 'open' | 'confirmed' | 'provisional' | 'refuted';

export interface KnownClaim {
  readonly id: number;
  readonly text: string;
  readonly status: FindingStatus;
  readonly confidence: number | null;
}

export interface KnownEvidence {
  readonly claim: string;
  readonly url: string;
  readonly title: string;
  readonly quote: string;
  readonly stance: 'supports' | 'refutes';
}

/** What a research job has found so far. */
export interface Known {
  readonly claims: readonly KnownClaim[];
  readonly evidence: readonly KnownEvidence[];
}

const VERDICTS = { supported: 'confirmed', mixed: 'provisional', refuted: 'refuted' } as const;

/** The findings of research jobs in the database; a claim is known by its normalised text, a source by its address. */
export class Findings {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async known(job: string): Promise<Known> {
    const { query } = this.#database;
    const claims = await sql<KnownClaim>`select id, text, status, confidence from research_claim
      where job = ${job} order by id`.execute(query);
    const evidence = await sql<KnownEvidence>`select c.text as claim, e.url, e.title, e.quote, e.stance
      from research_evidence e join research_claim c on c.id = e.claim where c.job = ${job} order by e.id`.execute(
      query,
    );
    return { claims: claims.rows, evidence: evidence.rows };
  }

  /** Only planning adds claims; the other stages speak about those that are there. Repeating it changes nothing. */
  async keep(
    input: ResearchInput,
    answer: ResearchAnswer,
    at: number,
  ): Promise<{ claims: number; sources: number; unknown: string[] }> {
    return this.#database.write(async (query) => {
      const unknown: string[] = [];
      let sources = 0;
      let claims = 0;
      for (const finding of answer.findings) {
        const id = await claimFor(query, input, finding);
        if (id === undefined) {
          unknown.push(finding.claim);
          continue;
        }
        claims++;
        sources += await addSources(query, id, finding);
        await judge(query, id, finding);
      }
      if (input.stage === 'write' && answer.report !== undefined) {
        await sql`insert into research_report (job, at, confidence, body) values (${input.job}, ${at}, ${answer.confidence ?? null}, ${answer.report})
          on conflict (job) do update set at = excluded.at, confidence = excluded.confidence, body = excluded.body`.execute(
          query,
        );
      }
      return { claims, sources, unknown };
    });
  }

  async report(
    job: string,
  ): Promise<{ readonly body: string; readonly confidence: number | null } | undefined> {
    const { rows } = await sql<{
      body: string;
      confidence: number | null;
    }>`select body, confidence from research_report
      where job = ${job}`.execute(this.#database.query);
    return rows[0];
  }
}

async function claimFor(query: Query, input: ResearchInput, { claim }: Finding): Promise<number | undefined> {
  const key = normalised(claim);
  const known = await sql<{
    id: number;
  }>`select id from research_claim where job = ${input.job} and key = ${key}`.execute(query);
  if (known.rows[0]) return known.rows[0].id;
  if (input.stage === 'plan') {
    const made = await sql<{
      id: number;
    }>`insert into research_claim (job, key, text, status) values (${input.job}, ${key}, ${claim}, 'open')
      returning id`.execute(query);
    return made.rows[0]?.id;
  }
  // Said in other words, but the task was about one claim only.
  if (input.claim === undefined) return undefined;
  const own = await sql<{
    id: number;
  }>`select id from research_claim where job = ${input.job} and key = ${normalised(input.claim)}`.execute(
    query,
  );
  return own.rows[0]?.id;
}

async function addSources(query: Query, claim: number, { sources }: Finding): Promise<number> {
  let added = 0;
  for (const { url, title, quote, stance } of sources) {
    const done =
      await sql`insert into research_evidence (claim, url, title, quote, stance) values (${claim}, ${url}, ${title}, ${quote}, ${stance})
      on conflict (claim, url) do nothing`.execute(query);
    added += Number(done.numAffectedRows ?? 0n);
  }
  return added;
}

async function judge(query: Query, id: number, { verdict, confidence }: Finding): Promise<void> {
  if (verdict === undefined && confidence === undefined) return;
  const status = verdict === undefined ? null : VERDICTS[verdict];
  await sql`update research_claim set status = coalesce(${status}, status), confidence = coalesce(${confidence ?? null}, confidence)
    where id = ${id}`.execute(query);
}

function normalised(claim: string): string {
  return claim
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
}
