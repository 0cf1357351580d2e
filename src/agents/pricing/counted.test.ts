import { expect, it } from 'vitest';
import { definedAdapter } from '../definition/defined-adapter.ts';
import { definitionShape } from '../definition/shape.ts';
import { countedBy } from './counted.ts';

const USAGE = { input: 'usage.in', output: 'usage.out' };

function definition(mode: object, more: object = {}) {
  return definitionShape.parse({
    metadata: { displayName: 'Mine' },
    binary: { command: 'mine' },
    modes: { headless: mode, ...more },
  });
}

it.each([
  [{}, 'nothing'],
  [{ usage: USAGE }, 'tokens'],
  [{ usage: { ...USAGE, usd: 'cost' } }, 'usd'],
  [{ stream: 'acp', usage: USAGE }, 'tokens'],
  [{ stream: 'pi-json' }, 'usd'],
])('of a headless run that is %j %s is known while it goes on', (mode, counted) => {
  expect(countedBy(definition(mode), 'headless', {})).toBe(counted);
});

it('what a definition says of tokens and of logging in reaches the reader', () => {
  const dialogue = { stream: 'acp', authenticate: 'my-key', usage: USAGE };
  const Mine = definedAdapter('mine', definition({ settings: { permissions: {} } }, { dialogue }), '/');
  const adapter = new Mine({ name: 'mine', cwd: '/p' });
  adapter.getLaunchConfig('headless', 'do it');
  const stream = adapter.openStream?.('headless');
  const line = { jsonrpc: '2.0', id: 1, result: {}, usage: { in: 3, out: 4 } };
  expect(stream?.push(JSON.stringify(line), 'stdout')).toEqual([
    { type: 'usage', tokens: { input: 3, cached: 0, output: 4 }, estimated: false },
  ]);
  expect(stream?.outgoing?.()).toContain('"method":"authenticate","params":{"methodId":"my-key"}');
});

it('a way of logging in is refused where nothing could carry it', () => {
  expect(() => definition({ authenticate: 'my-key' })).toThrow('only \\"modes.dialogue\\" has messages');
});
