import type { Known } from '../../backlog/findings.ts';
import type { ResearchProfile } from './input.ts';
import { type Standing, standings } from './standing.ts';

/** The report as a file: what the model wrote, then every claim with its verdict and the numbered sources. */
export function reportMarkdown(
  { query, profile }: { readonly query: string; readonly profile: ResearchProfile },
  body: string,
  known: Known,
): string {
  const { evidence } = known;
  const urls = [...new Set(evidence.map(({ url }) => url))];
  const all = standings(known, profile);
  const lines = all.map((standing, at) => {
    const own = evidence
      .filter(({ claim }) => claim === standing.claim)
      .map(({ url, stance }) => `${stance === 'refutes' ? 'against ' : ''}[${urls.indexOf(url) + 1}]`);
    const refs = own.length === 0 ? '(no source)' : [...new Set(own)].join(' ');
    return `- **${verdictWords(standing, known.claims[at]?.confidence ?? null)}**: ${standing.claim} ${refs}`;
  });
  const fetched = new Set(evidence.filter((source) => source.fetched).map(({ url }) => url));
  const titles = new Map(evidence.map(({ url, title }) => [url, title]));
  const sources = urls.map(
    (url, index) =>
      `${index + 1}. ${titles.get(url) || url}: <${url}>${fetched.has(url) ? '' : ' (not fetched)'}`,
  );
  return [
    `# ${query.split('\n')[0]}`,
    body.trim(),
    ...unknownSources(body, urls.length),
    ...unproven(all, profile),
    '## Findings',
    lines.join('\n'),
    '## Sources',
    sources.join('\n') || '(none)',
    '',
  ].join('\n\n');
}

/** What the agents say of a claim counts only with the sources for it. */
function verdictWords({ status, missing }: Standing, confidence: number | null): string {
  const sure = confidence === null ? '' : `, ${confidence} %`;
  if (missing.length === 0) return `${status}${sure}`;
  const said = status === 'open' ? '' : `, said to be ${status}${sure}`;
  return `unverified${said} (${missing.join(', ')})`;
}

function unproven(all: readonly Standing[], profile: ResearchProfile): string[] {
  const open = all.filter(({ missing }) => missing.length > 0).length;
  if (open === 0) return [];
  return [
    `> **Unverified**: ${open} of ${all.length} claims have less than the profile \`${profile}\` asks for, each named below with what is missing.`,
  ];
}

/** A model may cite what nobody has found: a reader must not take that for a source. */
function unknownSources(body: string, known: number): string[] {
  const cited = [...body.matchAll(/\[(\d{1,4})\](?![(:])/g)].map(([, number]) => Number(number));
  const unknown = [...new Set(cited)].filter((number) => number < 1 || number > known).sort((a, b) => a - b);
  if (unknown.length === 0) return [];
  const names = unknown.map((number) => `[${number}]`).join(', ');
  return [`> **Not a source**: the text above cites ${names}, which is not in the list of sources below.`];
}
