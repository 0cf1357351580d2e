import { describe, expect, it } from 'vitest';
import type { Known } from '../../backlog/findings.ts';
import { reportMarkdown } from './report.ts';

const known: Known = {
  claims: [{ id: 1, text: 'it is so', status: 'confirmed', confidence: 90 }],
  evidence: [
    {
      claim: 'it is so',
      url: 'https://a.example',
      title: 'A',
      quote: 'q',
      stance: 'supports',
      fetched: true,
    },
  ],
  searches: [{ claim: 'it is so', query: 'it is not so' }],
};

const about = { query: 'why?', profile: 'low' } as const;

describe('a research report', () => {
  it('names citations that are not among its sources', () => {
    const report = reportMarkdown(about, 'So [1], also [9] and [9], and [3].', known);
    expect(report).toContain('the text above cites [3], [9], which is not in the list');
    expect(report).toContain('1. A: <https://a.example>');
  });

  it('takes links and what is there for what they are', () => {
    const report = reportMarkdown(
      about,
      'So [1]. See [2](https://b.example).\n\n[7]: https://c.example',
      known,
    );
    expect(report).not.toContain('Not a source');
  });
});
