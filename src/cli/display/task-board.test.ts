import { describe, expect, it } from 'vitest';
import type { JsonEvent } from '../../api/events.ts';
import { foldEvent, type LiveStageTask, NOT_STARTED } from '../../api/live.ts';
import { makeStyle } from './style.ts';
import { boardLines, failureLines } from './task-board.ts';

const view = { style: makeStyle(false), columns: 100, answerWith: (task: string) => `answer ${task}` };

function tasksAfter(...events: readonly Partial<JsonEvent>[]): readonly LiveStageTask[] {
  return events.reduce((live, event) => foldEvent(live, event as JsonEvent, 0), NOT_STARTED).tasks;
}

const status = (task: string, word: string, problem?: string) =>
  ({
    type: 'task.status',
    task,
    status: word,
    exit: { code: 0 },
    ...(problem === undefined ? {} : { problem }),
  }) as Partial<JsonEvent>;

describe('STG-10 the board of a stage', () => {
  it('has no tick for a task that ended without having done what it should, and says why', () => {
    const tasks = tasksAfter(
      status('well', 'DONE'),
      status('blocked', 'DONE', 'It was not allowed to use bash.\nIt said last:\nall fine'),
      status('gone', 'ERROR', 'codex was not found.'),
    );
    expect(boardLines(tasks, view, 0)).toEqual([
      '      ✓ well     done',
      '      ✗ blocked  done',
      '        It was not allowed to use bash. It said last: all fine',
      '      ✗ gone     error',
      '        codex was not found.',
    ]);
  });

  it('keeps those that did not end well, with the reason, when the step is over', () => {
    const tasks = tasksAfter(status('well', 'DONE'), status('blocked', 'DONE', 'It was not allowed.'));
    expect(failureLines(tasks, view, 0)).toEqual([
      expect.stringMatching(/^ {6}✗ blocked {2}done/),
      '        It was not allowed.',
    ]);
  });

  it('has nothing against a task that is run again', () => {
    const tasks = tasksAfter(status('a', 'DONE', 'It failed.'), status('a', 'RUNNING'));
    expect(failureLines(tasks, view, 0)).toEqual([]);
    expect(boardLines(tasks, view, 0)[0]).toMatch('▸ a');
  });
});
