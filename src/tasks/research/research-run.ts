import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Findings, Known } from '../../backlog/findings.ts';
import type { Claim } from '../../backlog/scheduler.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { KeepFindings, KeptFindings as Kept } from '../../workers/services.ts';
import type { PreparedTree } from '../prepare/prepared.ts';
import { type ResearchAnswer, readAnswer } from './answer.ts';
import { type ResearchInput, researchInput } from './input.ts';
import { researchPrompt } from './prompt.ts';
import { reportMarkdown } from './report.ts';

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
    async keep(said) {
      const read = readAnswer(said);
      if ('problem' in read) return read;
      const { findings, report, nothing } = read.answer;
      if (input.stage === 'write') {
        // What there is to say about claims was said in the stages before.
        return report === undefined ? { problem: 'it has no "report"' } : stored(input, read.answer, options);
      }
      if (findings.length === 0) return { nothing: nothing ?? '', needed: input.stage === 'plan' };
      return stored(input, read.answer, options);
    },
  };
}

async function stored(input: ResearchInput, answer: ResearchAnswer, options: ResearchOptions): Promise<Kept> {
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
  // Sources are the proof of research; a plan has nothing to prove yet.
  const proof = proofIn(await options.findings.known(job));
  if (stage !== 'write') return { artifacts, review: false, proof, dropped };
  const file = await writeReport(input, answer.report ?? '', options);
  const report = { type: 'research_report', ref: file };
  return { artifacts: [...artifacts, report], review: options.judge, proof, dropped };
}

/** What is proven and what is not: a claim without a source must not hide behind the others. */
function proofIn({ claims, evidence }: Known): string {
  if (evidence.length === 0) return '';
  const sourced = new Set(evidence.map(({ claim }) => claim)).size;
  return `sources: ${evidence.length}, for ${sourced} of ${claims.length} claims`;
}

async function writeReport(
  input: ResearchInput,
  body: string,
  { findings, folder }: ResearchOptions,
): Promise<string> {
  const file = join(folder, input.job, 'report.md');
  await writeFile(file, reportMarkdown(input.query, body, await findings.known(input.job)));
  return file;
}
