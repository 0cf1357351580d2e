import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WebUse } from '../../agents/web-use.ts';
import { type Findings, type FoundAnswer, normalised } from '../../backlog/findings.ts';
import type { Claim } from '../../backlog/scheduler.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { count } from '../../kernel/words.ts';
import type { KeepFindings, KeptFindings as Kept } from '../../workers/services.ts';
import type { PreparedTree } from '../prepare/prepared.ts';
import { type Finding, type ResearchAnswer, readAnswer } from './answer.ts';
import { type ResearchInput, researchInput } from './input.ts';
import { pageOf } from './page.ts';
import { researchPrompt } from './prompt.ts';
import { reportMarkdown } from './report.ts';
import { standings, standingWords } from './standing.ts';

export interface ResearchOptions {
  readonly findings: Findings;
  /** Where reports go and the agents work: no repository, no branch. */
  readonly folder: string;
  /** A report waits for a verdict before it is done. */
  readonly judge: boolean;
}

/** An empty folder of the job: research changes no repository. */
export async function prepareResearch(claim: Claim, { folder }: ResearchOptions): Promise<PreparedTree> {
  const path = join(folder, researchInput(claim.task).job);
  await mkdir(path, { recursive: true, mode: 0o700 });
  const none = new Set<string>();
  return {
    path,
    payload: [],
    taskTree: {
      root: path,
      mode: 'direct',
      changes: () => Promise.resolve({ changed: [], added: [], removed: [] }),
      identity: () => Promise.resolve(''),
      differing: () => Promise.resolve([]),
      ignored: () => Promise.resolve(none),
      tracked: () => Promise.resolve(none),
      discard: () => Promise.resolve({ discarded: [], kept: [] }),
    },
    deliver: () => Promise.resolve({ artifacts: [], review: false, summary: '' }),
    close: () => Promise.resolve(),
  };
}

/** What the flow of a research task gets: the question, and what is known at this moment. */
export async function researchInputs(claim: Claim, { findings }: ResearchOptions): Promise<JsonObject> {
  const input = researchInput(claim.task);
  return { prompt: researchPrompt(input, await findings.known(input.job)) };
}

/** Keeps what an answer found and, in the last stage, writes the report. */
export function findingsOf(claim: Claim, options: ResearchOptions): KeepFindings {
  const input = researchInput(claim.task);
  return {
    async keep(said, web) {
      const read = readAnswer(said);
      if ('problem' in read) return read;
      const { findings, report, nothing = '' } = read.answer;
      const answer = { ...read.answer, findings: markFetched(findings, web), searched: web.searched };
      if (input.stage === 'write') {
        // What there is to say about claims was said in the stages before.
        return report === undefined ? { problem: 'it has no "report"' } : stored(input, answer, options);
      }
      if (findings.length > 0) return stored(input, answer, options);
      // Who searched and found nothing has searched.
      await options.findings.keep(input, answer);
      const proof = await proofOf(input, options);
      const proven = proof.outcome === 'verified';
      const short = proof.outcome === 'unverified' ? { short: proof.proof } : {};
      return { nothing, needed: input.stage === 'plan', proven, ...short };
    },
  };
}

/** A source counts as fetched when a tool of the agent has brought it; what the agent says about it is no proof. */
function markFetched(findings: readonly Finding[], { fetched }: WebUse): Finding[] {
  const pages = new Set(fetched.map(pageOf));
  return findings.map((finding) => ({
    ...finding,
    sources: finding.sources.map((source) => ({ ...source, fetched: pages.has(pageOf(source.url)) })),
  }));
}

async function stored(
  input: ResearchInput,
  answer: ResearchAnswer & FoundAnswer,
  options: ResearchOptions,
): Promise<Kept> {
  const { stage, job } = input;
  const { claims, sources, unknown } = await options.findings.keep(input, answer);
  const dropped = [...answer.dropped, ...unknown.map((text) => `not a claim of this job: ${text}`)];
  const artifacts = [
    {
      type: 'research_claim',
      ref: job,
      data: { stage, claims, ...(dropped.length === 0 ? {} : { dropped }) },
    },
    { type: 'research_source', ref: job, data: { stage, sources } },
  ];
  const proof = await proofOf(input, options);
  if (stage !== 'write') {
    const short = proof.outcome === 'unverified' ? { short: proof.proof } : {};
    return { artifacts, review: false, ...proof, ...short, dropped };
  }
  const file = await writeReport(input, answer.report ?? '', options);
  const report = { type: 'research_report', ref: file };
  return { artifacts: [...artifacts, report], review: options.judge, ...proof, dropped };
}

/** Sources are the proof of research, claim by claim; a plan has nothing to prove yet. */
async function proofOf(
  input: ResearchInput,
  { findings }: ResearchOptions,
): Promise<Pick<Kept, 'proof' | 'outcome'>> {
  const known = await findings.known(input.job);
  if (input.stage === 'plan') return { proof: count(known.claims.length, 'claim'), outcome: 'planned' };
  const own = input.claim === undefined ? undefined : normalised(input.claim);
  const all = standings(known, input.profile, input.stage).filter(
    ({ claim }) => own === undefined || normalised(claim) === own,
  );
  const proven = all.length > 0 && all.every(({ missing }) => missing.length === 0);
  return { proof: standingWords(all), outcome: proven ? 'verified' : 'unverified' };
}

async function writeReport(
  input: ResearchInput,
  body: string,
  { findings, folder }: ResearchOptions,
): Promise<string> {
  const file = join(folder, input.job, 'report.md');
  await writeFile(file, reportMarkdown(input, body, await findings.known(input.job)));
  return file;
}
