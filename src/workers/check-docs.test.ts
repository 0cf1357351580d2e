import { describe, expect, it } from 'vitest';
import { BY_ENGINE, BY_PERSON } from '../manifest/origin.ts';
import { asFact, type ContextSegment } from '../manifest/segment.ts';
import { checkDocs } from './check-docs.ts';
import { contextFor, recordedRun } from './testing.ts';

const tested: ContextSegment = { id: 't', type: 'TEST_RESULT', content: 'ok', origin: BY_ENGINE };
const of = (type: string, more: object = {}): ContextSegment => ({ id: type, type, content: [], ...more });

const signal = async (...payload: ContextSegment[]) =>
  (await checkDocs.run(contextFor({ payload }), recordedRun())).signal;

describe('whether the checks still hold after the documentation', () => {
  it('they do where nothing was written since', async () => {
    expect(await signal(of('CODE_OUTPUT'), tested, of('MODEL_OUTPUT'))).toBe('SIGNAL:NO_CHANGE');
    expect(await signal(tested, of('NEW_FILES_IDENTIFIED', { origin: BY_PERSON }))).toBe('SIGNAL:NO_CHANGE');
  });

  it('they do not where something was, or is to be', async () => {
    expect(await signal(tested, of('DOCUMENTATION_OUTPUT'))).toBe('SIGNAL:SUCCESS');
    const seen = of('NEW_FILES_IDENTIFIED', { ...asFact({}), origin: BY_ENGINE });
    expect(await signal(tested, seen)).toBe('SIGNAL:SUCCESS');
    expect(await signal(seen, tested)).toBe('SIGNAL:NO_CHANGE');
  });
});
