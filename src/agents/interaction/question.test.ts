import { describe, expect, it } from 'vitest';
import type { ScreenPatterns } from '../adapter.ts';
import { recognise } from './question.ts';
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

const API_KEY = `
  Detected a custom API key in your environment
  Do you want to use this API key?
    Yes
  ❯ No (recommended)
  Enter to confirm · Esc to cancel`;

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
      menu: { pick: 'number' },
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
      menu: { pick: 'number' },
    });
  });

  it('of gemini is read out of its box, and older lists are no choices', () => {
    expect(recognise(patterns(['confirm', /Allow execution/]), GEMINI)).toMatchObject({
      question: 'Allow execution of [Shell]?',
      choices: ['Allow once', 'Allow for this session', 'No, suggest changes (esc)'],
      menu: { pick: 'number' },
    });
  });

  it('of opencode is what the groups of the pattern say', () => {
    const pattern = /△ (?<question>Permission required)[\s\S]*┃ +(?<choices>Allow once {2,}.*?Reject)/;
    expect(recognise(patterns(['confirm', pattern]), OPENCODE)).toEqual({
      name: 'confirm',
      question: 'Permission required',
      choices: ['Allow once', 'Allow always', 'Reject'],
      menu: { pick: 'arrows', along: 'row', pointed: 0 },
    });
  });

  it('in a list without numbers has the one that is pointed at, known by the keys below it', () => {
    expect(recognise(patterns(['dialog', /Enter to confirm/]), API_KEY)).toEqual({
      name: 'dialog',
      question: 'Do you want to use this API key?',
      choices: ['Yes', 'No (recommended)'],
      menu: { pick: 'arrows', along: 'column', pointed: 1 },
    });
  });

  it('of a plain program has its answers in brackets', () => {
    expect(recognise(patterns(['yesno', /\[y\/N\]$/]), 'copying\nOverwrite w.txt? [y/N]')).toEqual({
      name: 'yesno',
      question: 'Overwrite w.txt? [y/N]',
      choices: ['y', 'n'],
      menu: undefined,
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
  const numbers = {
    question: 'q',
    choices: ['Yes', 'Yes, always', 'No, never (esc)'],
    menu: { pick: 'number' },
  } as const;

  it.each([
    ['2', '2'],
    ['yes', '1'],
    ['No, never (esc)\n', '3'],
    ['esc', '3'],
    ['no', '3'],
  ])('%j picks a choice of a menu by its number', (answer, key) => {
    expect(replyTo(numbers, answer)).toEqual({ text: key, enter: false });
  });

  it.each(['4', '0', 'y', 'something else', ''])(
    '%j is refused by a menu, which would take what it points at',
    (answer) => {
      expect(() => replyTo(numbers, answer)).toThrow('none of the choices');
    },
  );

  it('moves from the choice that is pointed at and sends', () => {
    const column = { ...numbers, menu: { pick: 'arrows', along: 'column', pointed: 1 } } as const;
    expect(replyTo(column, '1')).toEqual({ text: '\u001b[A', enter: true });
    expect(replyTo(column, '2')).toEqual({ text: '', enter: true });
    const row = { ...numbers, menu: { pick: 'arrows', along: 'row', pointed: 0 } } as const;
    expect(replyTo(row, '3')).toEqual({ text: '\u001b[C\u001b[C', enter: true });
  });

  it('elsewhere is typed and sent as a line', () => {
    expect(replyTo({ ...numbers, menu: undefined }, '2')).toEqual({ text: '2', enter: true });
    expect(replyTo(undefined, 'go on\r\n')).toEqual({ text: 'go on', enter: true });
  });
});
