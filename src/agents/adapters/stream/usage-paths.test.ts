import { describe, expect, it } from 'vitest';
import { openStream } from '../open-stream.ts';
import type { StreamContext } from './context.ts';
import { eventsOf, usedTokens, usedUsd } from './testing.ts';
import { tokensOf } from './usage.ts';

type Paths = NonNullable<StreamContext['usage']>;
const PATHS: Paths = {
  input: 'usage.in',
  output: 'usage.out',
  cached: 'usage.cache.0',
  cachedBeside: false,
  counts: 'step',
};

function read(stream: string, usage: Paths, messages: readonly object[], context: StreamContext = {}) {
  const reader = openStream(stream, { usage, ...context });
  return messages.flatMap((message) => reader?.push(JSON.stringify(message), 'stdout') ?? []);
}

const line = (input: number, cached: number, output: number, more: object = {}) => ({
  type: 'turn',
  usage: { in: input, out: output, cache: [cached] },
  ...more,
});

describe('tokens by the paths of a definition', () => {
  it.each(['text', 'acp', 'claude-stream-json'])('are read with the stream %s', (stream) => {
    const events = read(stream, PATHS, [line(10, 4, 1), { type: 'other' }, line(20, 5, 2)]);
    expect(usedTokens(events)).toEqual({ input: 30, cached: 9, output: 3 });
    expect(eventsOf(events, 'text').map(({ text }) => text)).toEqual(
      stream === 'text' ? ['{"type":"other"}'] : [],
    );
  });

  it('are not counted twice: cached ones are part of the input, or come on top where it says so', () => {
    const used = (cachedBeside: boolean) =>
      usedTokens(read('text', { ...PATHS, cachedBeside }, [line(10, 4, 1)]));
    expect(used(false)).toEqual({ input: 10, cached: 4, output: 1 });
    expect(used(true)).toEqual({ input: 14, cached: 4, output: 1 });
  });

  it('that are told as the sum so far count once', () => {
    const events = read('text', { ...PATHS, counts: 'run', usd: 'cost' }, [
      line(10, 4, 1, { cost: 0.5 }),
      line(30, 4, 3, { cost: 0.75 }),
    ]);
    expect(usedTokens(events)).toEqual({ input: 30, cached: 4, output: 3 });
    expect(usedUsd(events)).toBe(0.75);
    expect(eventsOf(events, 'usage').map(({ estimated }) => estimated)).toEqual([false, false]);
  });

  it('are priced by the model that the lines name, or that was chosen, and marked as estimated', () => {
    const prices = { mine: { input: 1, output: 2 }, other: { input: 10, output: 20 } };
    const price = (context: StreamContext, more: object) =>
      eventsOf(
        read('text', { ...PATHS, model: 'model' }, [line(1_000_000, 0, 1_000_000, more)], {
          prices,
          ...context,
        }),
        'usage',
      ).map(({ usd, estimated }) => [usd, estimated]);
    expect(price({ model: 'mine' }, {})).toEqual([[3, true]]);
    expect(price({ model: 'mine' }, { model: 'other' })).toEqual([[30, true]]);
    expect(price({}, {})).toEqual([[undefined, false]]);
  });

  it('go before those that the stream itself would read', () => {
    const result = { type: 'result', usage: { input_tokens: 7, output_tokens: 7 }, result: 'ok' };
    const events = read('claude-stream-json', PATHS, [line(1, 0, 1), result]);
    expect(usedTokens(events)).toEqual({ input: 1, cached: 0, output: 1 });
  });
});

it.each([
  [{ input: 1200, cached: 200, output: 34, total: 1234 }, 1200],
  [{ input: 1000, cached: 200, output: 34, total: 1234 }, 1200],
  [{ input: 1000, cached: 200, output: 34, total: undefined }, 1200],
])('cached tokens of %j are counted once', (told, input) => {
  expect(tokensOf(told)).toEqual({ input, cached: 200, output: 34 });
});
