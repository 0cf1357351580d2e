import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScreenPatterns } from '../adapter.ts';
import { recognise } from '../interaction/question.ts';
import { replyTo } from '../interaction/reply.ts';
import { AdapterRegistry } from '../registry/registry.ts';
import { transcriptPath } from './stream/testing.ts';

/** What a screen of a CLI says: as a runner reads it, working first, then the first question, then idle. */
function readScreen(cli: string, name: string): string {
  const screen = patternsOf(cli);
  const text = screenText(cli, name);
  if (screen?.working.some((pattern) => pattern.test(text))) return 'working';
  const question = screen?.interactions.find(({ pattern }) => pattern.test(text));
  if (question) return question.name;
  return screen?.idle.some((pattern) => pattern.test(text)) ? 'idle' : 'nothing';
}

function patternsOf(cli: string): ScreenPatterns | undefined {
  return new AdapterRegistry().create(cli, { name: cli, cwd: '/lab' }).screen;
}

function screenText(cli: string, name: string): string {
  return readFileSync(transcriptPath(cli, name), 'utf8')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}

const EXPECTED: { readonly [cli: string]: { readonly [screen: string]: string } } = {
  claude: {
    'confirm-edit': 'permission',
    confirm: 'permission',
    'done-automode': 'idle',
    'firstrun-1': 'nothing',
    'firstrun-2': 'trust',
    'firstrun-3': 'api-key',
    'firstrun-bypass-warning': 'bypass-warning',
    idle: 'idle',
    running: 'working',
    'tui-429-retrying': 'working',
    'tui-429': 'idle',
    'tui-usage-limit': 'usage-limit',
  },
  codex: {
    confirm: 'permission',
    'firstrun-trust': 'trust',
    idle: 'idle',
    running: 'working',
    'tui-usage-limit': 'model-switch',
  },
  gemini: {
    confirm: 'permission',
    'firstrun-trust': 'trust',
    idle: 'idle',
    running: 'working',
    'tui-429-retrying': 'working',
    'tui-quota': 'usage-limit',
  },
  opencode: { confirm: 'permission', idle: 'idle', running: 'working', 'tui-429': 'working' },
};

describe.each(Object.entries(EXPECTED))('screens of %s', (cli, screens) => {
  it.each(Object.entries(screens))('%s: %s', (screen, state) => {
    expect(readScreen(cli, `${screen}.screen.txt`)).toBe(state);
  });

  it('every recorded screen is expected', () => {
    const recorded = readdirSync(dirname(transcriptPath(cli, 'x'))).filter((name) =>
      name.endsWith('.screen.txt'),
    );
    expect(recorded.map((name) => name.replace('.screen.txt', '')).sort()).toEqual(
      Object.keys(screens).sort(),
    );
  });
});

describe('a permission that is asked for', () => {
  it.each([
    ['claude', /^Yes$/, /^No$/],
    ['codex', /^Yes, proceed/, /^No, /],
    ['gemini', /^Allow once$/, /^No, /],
    ['opencode', /^Allow once$/, /^Reject$/],
  ])('by %s has choices that can be picked, the first a yes and the last a no', (cli, yes, no) => {
    const patterns = patternsOf(cli);
    const asked = patterns && recognise(patterns, screenText(cli, 'confirm.screen.txt'));
    expect(asked?.menu).toBeDefined();
    expect(asked?.choices[0]).toMatch(yes);
    expect(asked?.choices.at(-1)).toMatch(no);
  });
});

describe('the trust of a folder', () => {
  it('is not given to codex by a number, but by Enter on the choice', () => {
    const patterns = patternsOf('codex');
    const asked = patterns && recognise(patterns, screenText('codex', 'firstrun-trust.screen.txt'));
    expect(asked?.choices).toEqual(['Trust and continue', 'Quit']);
    expect(replyTo(asked, '1')).toEqual({ text: '', enter: true });
    expect(replyTo(asked, 'quit')).toEqual({ text: '\u001b[B', enter: true });
  });
});
