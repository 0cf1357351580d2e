import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../kernel/json.ts';
import type { ProgressNote } from './progress-note.ts';
import { readNotes } from './read-note.ts';

const process = { pid: 7, startTime: 'then', host: 'here' };
const conversation = { id: 'c1' };

describe('a note without a type, as earlier versions wrote it', () => {
  it.each<[JsonObject, readonly ProgressNote[]]>([
    [
      { task: 't', status: 'RUNNING', process, agent: 'codex', mode: 'headless' },
      [{ type: 'task', task: 't', status: 'RUNNING', process, agent: 'codex', mode: 'headless' }],
    ],
    [
      {
        task: 't',
        status: 'DONE',
        ok: false,
        output: 'o',
        files: ['a'],
        code: 1,
        problem: 'p',
        conversation,
      },
      [
        {
          type: 'task',
          task: 't',
          status: 'DONE',
          exit: { code: 1 },
          result: { ok: false, output: 'o', files: ['a'], problem: 'p' },
          conversation,
        },
      ],
    ],
    [
      { task: 't', status: 'PENDING', blocked: 'codex', until: 9, reason: 'r', kind: 'quota', conversation },
      [
        { type: 'task', task: 't', status: 'PENDING' },
        { type: 'blocked', task: 't', agent: 'codex', until: 9, reason: 'r', cause: 'quota', conversation },
      ],
    ],
    [
      { task: 't', status: 'PENDING', cut: 'codex', conversation },
      [
        { type: 'task', task: 't', status: 'PENDING' },
        { type: 'conversation', task: 't', agent: 'codex', conversation },
      ],
    ],
    [{ task: 't', conversation }, [{ type: 'conversation', task: 't', conversation }]],
    [
      { task: 't', status: 'ERROR', problem: 'p' },
      [{ type: 'task', task: 't', status: 'ERROR', problem: 'p' }],
    ],
    [{ task: 't', files: 'commit' }, [{ type: 'checkpoint', task: 't', files: 'commit' }]],
    [{ files: 'commit' }, [{ type: 'checkpoint', files: 'commit' }]],
    [{ process }, [{ type: 'process', process }]],
    [{ deliverLater: 'r' }, [{ type: 'delivery.later', reason: 'r' }]],
    [{ number: 3 }, [{ type: 'own', data: { number: 3 } }]],
  ])('%j', (old, notes) => {
    expect(readNotes(old)).toEqual(notes);
  });

  it('with a status that there is not is damage', () => {
    expect(() => readNotes({ task: 't', status: 'ODD' })).toThrow('Task t has the status "ODD".');
  });

  it('one with a type is taken as it is', () => {
    const note: ProgressNote = { type: 'retried' };
    expect(readNotes(note)).toEqual([note]);
  });
});
