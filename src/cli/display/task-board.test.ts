import { describe, expect, it } from 'vitest';
import type { EngineEvent } from '../../orchestrator/events.ts';
import { makeStyle } from './style.ts';
import { TaskBoard } from './task-board.ts';

const view = { style: makeStyle(false), columns: 100, answerWith: (task: string) => `answer ${task}` };

function boardAfter(...events: readonly Partial<EngineEvent>[]): TaskBoard {
  const board = new TaskBoard();
  for (const event of events) board.event(event as EngineEvent, 0);
  return board;
}

const status = (task: string, word: string, problem?: string) =>
  ({
    type: 'task.status',
    task,
    status: word,
    exit: { code: 0 },
    ...(problem === undefined ? {} : { problem }),
  }) as Partial<EngineEvent>;

describe('STG-10 the board of a stage', () => {
  it('has no tick for a task that ended without having done what it should, and says why', () => {
    const board = boardAfter(
      status('well', 'DONE'),
      status('blocked', 'DONE', 'It was not allowed to use bash.\nIt said last:\nall fine'),
      status('gone', 'ERROR', 'codex was not found.'),
    );
    expect(board.lines(view, 0)).toEqual([
      '      ✓ well     done, 0 ms',
      '      ✗ blocked  done, 0 ms',
      '        It was not allowed to use bash. It said last: all fine',
      '      ✗ gone     error, 0 ms',
      '        codex was not found.',
    ]);
  });

  it('keeps those that did not end well, with the reason, when the step is over', () => {
    const board = boardAfter(status('well', 'DONE'), status('blocked', 'DONE', 'It was not allowed.'));
    expect(board.failures(view)).toEqual([
      expect.stringMatching(/^ {6}✗ blocked {2}done/),
      '        It was not allowed.',
    ]);
  });

  it('has nothing against a task that is run again', () => {
    const board = boardAfter(status('a', 'DONE', 'It failed.'), status('a', 'RUNNING'));
    expect(board.failures(view)).toEqual([]);
    expect(board.lines(view, 0)[0]).toMatch('▸ a');
  });
});
