import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../kernel/json.ts';
import { WebFold } from './web-use.ts';

function used(name: string, input: JsonObject, { ok = true, output = '' } = {}) {
  const fold = new WebFold();
  fold.add({ type: 'tool', id: '1', name, input });
  fold.add({ type: 'tool.ended', id: '1', ok, output });
  return fold.use;
}

describe('what an agent looked at on the web', () => {
  it.each([
    ['WebFetch', { url: 'https://a.example/1', prompt: 'compare with https://b.example' }],
    ['web_fetch', { prompt: 'Read https://a.example/1.' }],
    ['webfetch', { url: 'https://a.example/1', format: 'text' }],
    ['mcp__fetch__fetch', { url: 'https://a.example/1' }],
    ['fetch', { title: 'Fetching https://a.example/1', paths: [] }],
  ])('%s brings the page that it was given', (name, input) => {
    expect(used(name, input)).toEqual({ fetched: ['https://a.example/1'], searched: [] });
  });

  it.each(['WebSearch', 'google_web_search', 'websearch', 'web_search', 'mcp__brave__brave_web_search'])(
    '%s shows the pages of its results',
    (name) => {
      const output = 'Links: [{"title":"A","url":"https://a.example/1"}]';
      const input = { query: 'cats https://not-seen.example' };
      expect(used(name, input, { output })).toEqual({
        fetched: ['https://a.example/1'],
        searched: ['cats https://not-seen.example'],
      });
    },
  );

  it('what failed, what never ended, and what is no web tool brings nothing', () => {
    const nothing = { fetched: [], searched: [] };
    const url = 'https://a.example/1';
    expect(used('WebFetch', { url }, { ok: false, output: url })).toEqual(nothing);
    expect(used('shell', { command: `echo ${url}` }, { output: url })).toEqual(nothing);
    expect(used('search_files', { query: url }, { output: url })).toEqual(nothing);
    const fold = new WebFold();
    fold.add({ type: 'tool', id: '1', name: 'WebFetch', input: { url } });
    expect(fold.use).toEqual(nothing);
  });
});
