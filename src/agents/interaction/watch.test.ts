import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { QuestionWatch, TextView } from './watch.ts';

const QUIET = 400;
let told: string[];
let watch: QuestionWatch;

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  watch = new QuestionWatch({
    view: new TextView(),
    patterns: {
      interactions: [{ name: 'sure', pattern: /Sure\?/ }],
      working: [/working/],
      idle: [],
    },
    quietMs: QUIET,
    onQuestion: ({ name }) => told.push(name),
    onGone: () => told.push('gone'),
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const say = (text: string) => watch.push(text, text);
const quiet = () => vi.advanceTimersByTimeAsync(QUIET);

describe('B-23 the watch for questions', () => {
  it('looks only after a moment of quiet, and finds what was cut in two', async () => {
    say('Su');
    await vi.advanceTimersByTimeAsync(QUIET - 1);
    say('re?');
    await vi.advanceTimersByTimeAsync(QUIET - 1);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toEqual(['sure']);
  });

  it('tells a question once while it stands, again after an answer, and not the old one still to be read', async () => {
    say('Sure?');
    await quiet();
    say('\nSure?');
    await quiet();
    expect(told).toEqual(['sure']);
    watch.answered();
    say('y\nthinking');
    await quiet();
    expect(told).toEqual(['sure']);
    say('\nSure?');
    await quiet();
    expect(told).toEqual(['sure', 'sure']);
  });

  it('says when a question went away by itself', async () => {
    say('Sure?');
    await quiet();
    say('\nworking');
    await quiet();
    expect(told).toEqual(['sure', 'gone']);
  });

  it('looks at the last 4096 characters', async () => {
    say(`Sure?${'\nx'.repeat(3000)}`);
    await quiet();
    expect(told).toEqual([]);
  });

  it('is over when it is closed', async () => {
    say('Sure?');
    watch.close();
    await quiet();
    say('Sure?');
    await quiet();
    expect(told).toEqual([]);
  });
});
