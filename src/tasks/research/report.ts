import type { Known } from '../../backlog/findings.ts';

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
