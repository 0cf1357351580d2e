import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Findings, Known } from '../../backlog/findings.ts';
import type { Claim } from '../../backlog/scheduler.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { KeepFindings, KeptFindings as Kept } from '../../workers/services.ts';
import type { PreparedTree } from '../prepare/prepared.ts';
import { type ResearchAnswer, readAnswer } from './answer.ts';
import { ENOUGH, type ResearchInput, type ResearchStage, researchInput } from './input.ts';

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

/** What is shown of what is known; the rest is in the database. */
const MOST_EVIDENCE = 50;

const STAGE: { readonly [stage in ResearchStage]: (input: ResearchInput) => string } = {
  plan: ({ profile }) =>
    `Split the question into ${Math.min(4, ENOUGH[profile].claims)} to ${ENOUGH[profile].claims} claims that can be checked one by one. Name a claim as a sentence that is true or false. Sources are welcome, not required.`,
  collect: ({ profile }) =>
    `Find evidence: at least ${ENOUGH[profile].sources} sources from at least ${ENOUGH[profile].domains} different domains per claim, for and against. Quote the sentence that matters.`,
  challenge: () =>
    'Look for what speaks against the claims: counter-evidence, better explanations, mistakes in the sources. Change a verdict only with a source.',
  write: () =>
    'Write the report in Markdown into "report": what is known, how sure it is and why, what stays open. Refer to sources as [1], [2] in the order in which they first appear in the findings. Say nothing that no source says.',
};

/** The question, what is known so far, and the form of the answer. */
function researchPrompt(input: ResearchInput, known: Known): string {
  const urls = [...new Set(input.query.match(/https?:\/\/[^\s)>"']+/g) ?? [])];
  const evidence = known.evidence.slice(-MOST_EVIDENCE);
  return [
    `# Question\n${input.query}`,
    ...(input.claim === undefined ? [] : [`# The claim to look at\n${input.claim}`]),
    `# What to do (${input.stage})\n${STAGE[input.stage](input)}`,
    'Search and read with your own tools. Use only sources that you have read now; never make one up.',
    ...(urls.length === 0 ? [] : [`# Start with\n${urls.join('\n')}`]),
    ...(known.claims.length === 0
      ? []
      : [`# Known claims\n${known.claims.map(({ text, status }) => `- (${status}) ${text}`).join('\n')}`]),
    ...(evidence.length === 0
      ? []
      : [
          `# Known evidence\n${evidence.map(({ claim, url, stance, quote }) => `- ${claim}: ${stance}, ${url}: ${quote}`).join('\n')}`,
        ]),
    `# Answer\nJSON only: {"findings": [{"claim": "...", "verdict": "supported|mixed|refuted", "confidence": 0-100, "sources": [{"url": "https://...", "title": "...", "quote": "...", "stance": "supports|refutes"}]}]${input.stage === 'write' ? ', "report": "Markdown", "confidence": 0-100' : ''}}${input.stage === 'write' ? '' : '\nIf you looked and there is nothing to be found: {"findings": [], "nothing": "where you looked, and why there is nothing"}'}`,
  ].join('\n\n');
}

/** The report as a file: what the model wrote, then every claim with its verdict and the numbered sources. */
export function reportMarkdown(query: string, body: string, { claims, evidence }: Known): string {
  const urls = [...new Set(evidence.map(({ url }) => url))];
  const number = (url: string): string => `[${urls.indexOf(url) + 1}]`;
  const lines = claims.map(({ text, status, confidence }) => {
    const own = evidence
      .filter(({ claim }) => claim === text)
      .map(({ url, stance }) => `${stance === 'refutes' ? 'against ' : ''}${number(url)}`);
    const sure = confidence === null ? '' : `, ${confidence} %`;
    return `- **${status}${sure}**: ${text} ${own.length === 0 ? '(no source)' : [...new Set(own)].join(' ')}`;
  });
  const titles = new Map(evidence.map(({ url, title }) => [url, title]));
  const sources = urls.map((url, index) => `${index + 1}. ${titles.get(url) || url}: <${url}>`);
  return [
    `# ${query.split('\n')[0]}`,
    body.trim(),
    ...unknownSources(body, urls.length),
    '## Findings',
    lines.join('\n'),
    '## Sources',
    sources.join('\n') || '(none)',
    '',
  ].join('\n\n');
}

/** A model may cite what nobody has found: a reader must not take that for a source. */
function unknownSources(body: string, known: number): string[] {
  const cited = [...body.matchAll(/\[(\d{1,4})\](?![(:])/g)].map(([, number]) => Number(number));
  const unknown = [...new Set(cited)].filter((number) => number < 1 || number > known).sort((a, b) => a - b);
  if (unknown.length === 0) return [];
  const names = unknown.map((number) => `[${number}]`).join(', ');
  return [`> **Not a source**: the text above cites ${names}, which is not in the list of sources below.`];
}
