import { describe, expect, it } from 'vitest';
import { NOT_STARTED } from '../../api/live.ts';
import { size } from '../../kernel/text-width.ts';
import { commandLines, nameAndFacts } from './narrow.ts';
import { makeStyle } from './style.ts';
import { workedLines } from './worked-tasks.ts';

const same = (text: string): string => text;
const looks = (columns: number) => ({ columns, lead: same, facts: same });
const parts = {
  lead: '⠋   3  ',
  name: 'Verification__InspectTests',
  facts: 'Internal:InspectTests 3.2 s (attempt 2)',
};

describe('a narrow window', () => {
  it('has the facts on a line of their own, and no word is cut', () => {
    expect(nameAndFacts(parts, looks(100))).toEqual([
      '⠋   3  Verification__InspectTests  Internal:InspectTests 3.2 s (attempt 2)',
    ]);
    expect(nameAndFacts(parts, looks(60))).toEqual([
      '⠋   3  Verification__InspectTests',
      '       Internal:InspectTests 3.2 s (attempt 2)',
    ]);
    expect(nameAndFacts(parts, looks(36))).toEqual([
      '⠋   3  Verification__InspectTests',
      '       Internal:InspectTests 3.2 s',
      '       (attempt 2)',
    ]);
  });

  it('has a command that is still one when it is copied', () => {
    const command = 'loopwright answer 3F9K2A "<answer>" --task implement-the-endpoint';
    const lines = commandLines(command, 40, '  ');
    expect(lines.every((line) => size(line) <= 40)).toBe(true);
    expect(
      lines
        .join('\n')
        .replaceAll(/ \\\n +/g, ' ')
        .trim(),
    ).toBe(command);
  });

  it('shows the tasks at work in 60 columns', () => {
    const live = {
      ...NOT_STARTED,
      running: {
        step: 4,
        block: 'Verification__InspectTests',
        worker: 'Internal:InspectTests',
        since: 0,
        tail: 'x'.repeat(200),
      },
    };
    const task = {
      id: '01ABCDEFGHJKMNPQRSTVWXYZ01',
      title: 'change it '.repeat(12),
      since: 0,
      doing: '',
      live,
    };
    const view = { style: makeStyle(false), columns: 60, rows: 40, mark: '⠋', answerWith: () => '' };
    expect(workedLines([task], view, 1_234_567).filter((line) => size(line) > 60)).toEqual([]);
  });
});
