import { describe, expect, it } from 'vitest';
import { NOT_STARTED } from '../../api/live.ts';
import { makeStyle } from './style.ts';
import { type WorkedTask, workedLines } from './worked-tasks.ts';

const view = {
  style: makeStyle(false),
  columns: 60,
  rows: 20,
  mark: '*',
  answerWith: (session: string, task: string) => `answer ${session} ${task}`,
};

function task(id: string): WorkedTask {
  const running = { step: 2, block: 'Work__Implement', worker: 'Coder', since: 1000, tail: 'a\nb\n' };
  const used = { steps: 1, tokens: 1200, usd: 0.5, ms: 0 };
  return { id, title: 'a title '.repeat(20), since: 0, doing: '', live: { ...NOT_STARTED, running, used } };
}

describe('the tasks at work on a screen', () => {
  it('each has its title cut to the width, its time, its tokens, its step and the last line', () => {
    const lines = workedLines([task('01TASKABCDEF')], view, 4000);
    expect(lines).toEqual([
      '* ABCDEF  a title a title a tit…  4.0 s, 1200 tokens, $0.50',
      '    2  Work__Implement  Coder 3.0 s',
      '       b',
    ]);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(60);
  });

  it('what is not in a step yet says what is done for it', () => {
    const waiting = { ...task('01TASKABCDEF'), live: NOT_STARTED, doing: 'preparing its files' };
    expect(workedLines([waiting], view, 4000)[1]).toBe('       preparing its files');
  });

  it('more than fits is one line each, and then those that fit with the number of the others', () => {
    const many = ['a', 'b', 'c', 'd'].map((end) => task(`01TASKABCDE${end}`));
    expect(workedLines(many, { ...view, rows: 4 }, 0)).toHaveLength(4);
    const few = workedLines(many, { ...view, rows: 3 }, 0);
    expect(few).toHaveLength(3);
    expect(few.at(-1)).toBe('  and 2 more at work');
  });
});
