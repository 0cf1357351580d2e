import { describe, expect, it } from 'vitest';
import type { ScreenPatterns } from '../adapter.ts';
import { recognise } from './recognise.ts';
import { replyTo } from './reply.ts';

const patterns = (...interactions: [string, RegExp][]): ScreenPatterns => ({
  interactions: interactions.map(([name, pattern]) => ({ name, pattern })),
  working: [/esc to interrupt/],
  idle: [],
});

// Screens as the real CLIs paint them.
const CLAUDE = `
❯ FILE=w.txt write it

● Write(w.txt)

────────────────────────────────
 Create file
╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
  1 hello-from-fake-model
╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
 Do you want to create w.txt?
 ❯ 1. Yes
   2. Yes, and switch to accept edits (auto-approve file
     edits) for this session (shift+tab)
   3. No

 Esc to cancel · Tab to amend`;

const CODEX = `
• Running printf '%s\\n' 'hello' > a.txt

  Would you like to run the following command?

  Environment: local

  Reason: May I write the file?

  $ printf '%s\\n' 'hello' > a.txt


› 1. Yes, proceed (y)
  2. Yes, and don't ask again (p)
  3. No, and tell Codex what to do differently (esc)

  Press enter to confirm or esc to cancel`;

const GEMINI = `
Tips for getting started:
1. Create GEMINI.md files to customize your interactions
2. /help for more information

╭────────────────────────────────────────────────╮
│ ? Shell  printf 'hello' > a.txt                │
│ Allow execution of [Shell]?                    │
│ Redirection detected.                          │
│                                                │
│ ● 1. Allow once                                │
│   2. Allow for this session                    │
│   3. No, suggest changes (esc)                 │
╰────────────────────────────────────────────────╯`;

const OPENCODE = `
  ┃
  ┃  △ Permission required
  ┃    # Shell command
  ┃
  ┃  $ printf 'hello' > a.txt
  ┃
  ┃   Allow once   Allow always   Reject          ctrl+f fullscreen  ⇆ select  enter confirm`;

describe('STG-14 B-23 a question on the screen', () => {
  it('of claude is read with its choices, also a long one over two lines', () => {
    expect(recognise(patterns(['confirm', /Do you want to/]), CLAUDE)).toEqual({
      name: 'confirm',
      question: 'Do you want to create w.txt?',
      choices: [
        'Yes',
        'Yes, and switch to accept edits (auto-approve file edits) for this session (shift+tab)',
        'No',
      ],
      menu: true,
    });
  });

  it('is found above its choices where the pattern names only those', () => {
    expect(recognise(patterns(['confirm', /❯ 1\. Yes/]), CLAUDE)?.question).toBe(
      'Do you want to create w.txt?',
    );
  });

  it('of codex is the one that the pattern names, not the nearest', () => {
    expect(recognise(patterns(['confirm', /Would you like to/]), CODEX)).toMatchObject({
      question: 'Would you like to run the following command?',
      choices: ['Yes, proceed (y)', "Yes, and don't ask again (p)", expect.stringContaining('No, and tell')],
      menu: true,
    });
  });

  it('of gemini is read out of its box, and older lists are no choices', () => {
    expect(recognise(patterns(['confirm', /Allow execution/]), GEMINI)).toMatchObject({
      question: 'Allow execution of [Shell]?',
      choices: ['Allow once', 'Allow for this session', 'No, suggest changes (esc)'],
      menu: true,
    });
  });

  it('of opencode is what the groups of the pattern say', () => {
    const pattern = /△ (?<question>Permission required)[\s\S]*┃ +(?<choices>Allow once {2,}.*?Reject)/;
    expect(recognise(patterns(['confirm', pattern]), OPENCODE)).toEqual({
      name: 'confirm',
      question: 'Permission required',
      choices: ['Allow once', 'Allow always', 'Reject'],
      menu: false,
    });
  });

  it('of a plain program has its answers in brackets', () => {
    expect(recognise(patterns(['yesno', /\[y\/N\]$/]), 'copying\nOverwrite w.txt? [y/N]')).toEqual({
      name: 'yesno',
      question: 'Overwrite w.txt? [y/N]',
      choices: ['y', 'n'],
      menu: false,
    });
  });

  it('is none while the agent works; of several patterns the first wins; memory of a pattern does not matter', () => {
    const both = patterns(['first', /Do you want/g], ['second', /1\. Yes/]);
    expect(recognise(both, `${CLAUDE}\n(esc to interrupt)`)).toBeUndefined();
    expect(recognise(both, CLAUDE)?.name).toBe('first');
    expect(recognise(both, CLAUDE)?.name).toBe('first');
    expect(recognise(both, 'nothing')).toBeUndefined();
  });
});

describe('an answer', () => {
  const menu = { question: 'q', choices: ['Yes', 'No, never'], menu: true };
  it.each([
    ['2', { text: '2', enter: false }],
    ['no, never\n', { text: '2', enter: false }],
    ['3', { text: '3', enter: true }],
    ['something else', { text: 'something else', enter: true }],
  ])('%j in a menu', (answer, reply) => {
    expect(replyTo(menu, answer)).toEqual(reply);
  });

  it('elsewhere is typed and sent as a line', () => {
    expect(replyTo({ ...menu, menu: false }, '2')).toEqual({ text: '2', enter: true });
    expect(replyTo(undefined, 'go on\r\n')).toEqual({ text: 'go on', enter: true });
  });
});
