import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../kernel/json.ts';
import { Suspended } from '../manifest/worker.ts';
import { askHuman } from './ask-human.ts';
import { contextFor, recordedRun } from './testing.ts';

const ask = (parameters: JsonObject, run = recordedRun()) =>
  askHuman.run(contextFor({ with: parameters }), run);

describe('Internal:AskHuman', () => {
  it('asks, and the chosen answer is the signal', async () => {
    const run = recordedRun({ answer: ' needs WORK' });
    const result = await ask({ question: 'Good?', choices: ['yes', 'needs work'] }, run);
    expect(run.asked).toEqual([{ question: 'Good?', choices: ['yes', 'needs work'] }]);
    expect(result).toMatchObject({
      signal: 'SIGNAL:NEEDS_WORK',
      new_payload: [{ type: 'HUMAN_ANSWER', content: 'needs work', question: 'Good?' }],
    });
  });

  it('without choices the answer is a segment and the signal SUCCESS', async () => {
    const result = await ask({ question: 'Why?' }, recordedRun({ answer: 'because' }));
    expect(result).toMatchObject({ signal: 'SIGNAL:SUCCESS', new_payload: [{ content: 'because' }] });
  });

  it('declares a signal for every choice', () => {
    expect(askHuman.signalsFor?.({ question: '?', choices: ['yes', 'no'] })).toEqual([
      'SIGNAL:YES',
      'SIGNAL:NO',
    ]);
    expect(askHuman.signalsFor?.({ question: '?' })).toEqual(['SIGNAL:SUCCESS']);
  });

  it('lets the engine halt while there is no answer', async () => {
    const question = { question: 'Good?' };
    const run = {
      ...recordedRun(),
      ask: () => {
        throw new Suspended({ kind: 'question', question });
      },
    };
    await expect(ask(question, run)).rejects.toThrow(Suspended);
  });

  it('fails on an answer that is none of the choices', async () => {
    const result = await ask({ question: 'Good?', choices: ['yes'] }, recordedRun({ answer: 'maybe' }));
    expect(result).toMatchObject({ signal: 'SIGNAL:FAILURE', new_payload: [{ type: 'ERROR' }] });
  });

  it.each<JsonObject>([
    {},
    { question: ' ' },
    { question: '?', choices: [] },
    { question: '?', choices: ['a', 'A'] },
    { question: '?', choices: [1] },
    { question: '?', choice: ['a'] },
  ])('names what is wrong with %j', (parameters) => {
    expect(askHuman.checkWith?.(parameters)).toEqual([expect.any(String)]);
  });
});
