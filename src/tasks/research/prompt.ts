import type { Known } from '../../backlog/findings.ts';
import { ENOUGH, type ResearchInput, type ResearchStage } from './input.ts';
import { standings } from './standing.ts';

/** What is shown of what is known; the rest is in the database. */
const MOST_EVIDENCE = 50;

const STAGE: { readonly [stage in ResearchStage]: (input: ResearchInput) => string } = {
  plan: ({ profile }) =>
    `Split the question into ${Math.min(4, ENOUGH[profile].claims)} to ${ENOUGH[profile].claims} claims that can be checked one by one. Name a claim as a sentence that is true or false. Sources are welcome, not required.`,
  collect: ({ profile }) =>
    `Find evidence: at least ${ENOUGH[profile].sources} sources from at least ${ENOUGH[profile].domains} different domains per claim, for and against. Quote the sentence that matters.`,
  challenge: ({ profile }) =>
    `Search for the opposite of the claims, at least ${ENOUGH[profile].searches} times each, in words that would find it, and look for what speaks against the claims: counter-evidence, better explanations, mistakes in the sources. Change a verdict only with a source.`,
  write: () =>
    'Write the report in Markdown into "report": what is known, how sure it is and why, what stays open. Call a claim that is marked unverified just that. Refer to sources as [1], [2] in the order in which they first appear in the findings. Say nothing that no source says.',
};

/** Who writes must know what does not hold, and who searches what is still missing. */
function claimLines({ profile, stage }: ResearchInput, known: Known): string {
  const lines = standings(known, profile, stage).map(({ claim, status, missing }) => {
    const word = missing.length === 0 ? status : `${status}, unverified so far: ${missing.join(', ')}`;
    return `- (${word}) ${claim}`;
  });
  return lines.join('\n');
}

/** The question, what is known so far, and the form of the answer. */
export function researchPrompt(input: ResearchInput, known: Known): string {
  const urls = [...new Set(input.query.match(/https?:\/\/[^\s)>"']+/g) ?? [])];
  const evidence = known.evidence.slice(-MOST_EVIDENCE);
  return [
    `# Question\n${input.query}`,
    ...(input.claim === undefined ? [] : [`# The claim to look at\n${input.claim}`]),
    `# What to do (${input.stage})\n${STAGE[input.stage](input)}`,
    'Search and read with your own tools. Use only sources that you have fetched now, each for the claim that it speaks about: one that no tool of yours has fetched counts for nothing.',
    ...(urls.length === 0 ? [] : [`# Start with\n${urls.join('\n')}`]),
    ...(known.claims.length === 0 ? [] : [`# Known claims\n${claimLines(input, known)}`]),
    ...(evidence.length === 0
      ? []
      : [
          `# Known evidence\n${evidence.map(({ claim, url, stance, quote }) => `- ${claim}: ${stance}, ${url}: ${quote}`).join('\n')}`,
        ]),
    `# Answer\nJSON only: {"findings": [{"claim": "...", "verdict": "supported|mixed|refuted", "confidence": 0-100, "sources": [{"url": "https://...", "title": "...", "quote": "...", "stance": "supports|refutes"}]}]${input.stage === 'write' ? ', "report": "Markdown", "confidence": 0-100' : ''}}${input.stage === 'write' ? '' : '\nIf you looked and there is nothing to be found: {"findings": [], "nothing": "where you looked, and why there is nothing"}'}`,
  ].join('\n\n');
}
