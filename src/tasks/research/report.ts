import type { Known } from './findings.ts';

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
    '## Findings',
    lines.join('\n'),
    '## Sources',
    sources.join('\n') || '(none)',
    '',
  ].join('\n\n');
}
