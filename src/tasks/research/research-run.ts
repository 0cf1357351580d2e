import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../../kernel/json.ts';
import type { KeepFindings } from '../../workers/services.ts';
import type { PreparedTree } from '../prepare/prepared.ts';
import type { Claim } from '../scheduler/scheduler.ts';
import { readAnswer } from './answer.ts';
import type { Findings } from './findings.ts';
import { type ResearchInput, researchInput } from './input.ts';
import { researchPrompt } from './prompt.ts';
import { reportMarkdown } from './report.ts';

export interface ResearchOptions {
  readonly findings: Findings;
  /** Where reports go and the agents work: no repository, no branch. */
  readonly folder: string;
  /** A report waits for a verdict before it is done. */
  readonly judge: boolean;
  readonly now: () => number;
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

/** What the flow of a research task is told: the question, and what is known at this moment. */
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
      if (input.stage === 'write' && read.answer.report === undefined)
        return { problem: 'it has no "report"' };
      const { claims, sources } = await options.findings.keep(input, read.answer, options.now());
      const artifacts = [
        { type: 'research_claim', ref: input.job, data: { stage: input.stage, claims } },
        { type: 'research_source', ref: input.job, data: { stage: input.stage, sources } },
      ];
      // Sources are the proof of research; a plan has nothing to prove yet.
      const { evidence } = await options.findings.known(input.job);
      const proof = evidence.length === 0 ? '' : `${evidence.length} sources`;
      if (input.stage !== 'write') return { artifacts, review: false, proof };
      const file = await writeReport(input, read.answer.report ?? '', options);
      return {
        artifacts: [...artifacts, { type: 'research_report', ref: file }],
        review: options.judge,
        proof,
      };
    },
  };
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
