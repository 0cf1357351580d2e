import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../kernel/json.ts';
import { compileManifest } from '../compile.ts';
import { formatProblem } from '../problem.ts';
import { signalOfValue } from '../worker.ts';

const review = {
  type: 'object',
  properties: {
    verdict: { enum: ['approve', 'needs work'] },
    safe: { type: 'boolean' },
    note: { type: 'string' },
  },
  required: ['verdict', 'safe', 'note'],
};

function errors(
  fields: object,
  { schemas = { review }, given }: { schemas?: object; given?: { [name: string]: JsonObject } } = {},
): string[] {
  const blocks = { Go: { worker: 'w', transitions: [], ...fields } };
  const input = { nodes: { A: { entry_block: 'Go', blocks } }, schemas };
  return compileManifest(input, given ? { schemas: given } : {})
    .problems.filter((problem) => problem.severity === 'error')
    .map(formatProblem);
}

const of = (x: object, required = ['x']) => ({ type: 'object', properties: { x }, required });

const on = (...signals: string[]) => signals.map((on_signal) => ({ on_signal, action: 'RETURN' }));

describe('validationSchema', () => {
  it('TFX-11 names a schema of the manifest, of the program or a built-in one', () => {
    for (const name of ['review', 'text', 'json', 'file_output', 'file_list', 'files']) {
      expect(errors({ validationSchema: name })).toEqual([]);
    }
    expect(errors({ validationSchema: 'mine' }, { given: { mine: { type: 'string' } } })).toEqual([]);
    expect(errors({ validationSchema: 'reviw' })).toEqual([
      expect.stringMatching(
        /^node A, block Go, validationSchema: There is no schema "reviw".*Did you mean "review"\?$/,
      ),
    ]);
    expect(errors({ validationSchema: 'constructor' })).toHaveLength(1);
  });

  it('TFX-11 the resolved manifest holds every schema that it needs, and no other', () => {
    const { manifest } = compileManifest(
      {
        nodes: {
          A: {
            entry_block: 'Go',
            blocks: { Go: { worker: 'w', transitions: [], validationSchema: 'files' } },
          },
        },
        schemas: { review },
      },
      { schemas: { unused: {} } },
    );
    expect(Object.keys(manifest?.schemas ?? {}).sort()).toEqual(['files', 'review']);
  });

  it("TFX-11 leaves the program's schemas unfrozen", () => {
    const mine = { type: 'string' };
    const blocks = { Go: { worker: 'w', transitions: [], validationSchema: 'mine' } };
    const { manifest } = compileManifest({ A: { entry_block: 'Go', blocks } }, { schemas: { mine } });
    expect(manifest?.schemas).toEqual({ mine });
    expect(Object.isFrozen(manifest?.schemas.mine)).toBe(true);
    expect(Object.isFrozen(mine)).toBe(false);
  });

  it('TFX-11 rejects what is no JSON Schema at load', () => {
    expect(errors({}, { schemas: { bad: { type: 'texxt' } } })).toEqual([
      expect.stringContaining('schemas.bad: Schema "bad" is not a usable JSON Schema'),
    ]);
    expect(errors({}, { schemas: { bad: { $ref: '#/nowhere' } } })).toHaveLength(1);
    expect(errors({}, { schemas: { bad: { $async: true } } })).toHaveLength(1);
  });

  it('TFX-11 accepts two schemas with the same $id and either draft', () => {
    const schemas = {
      a: { $id: 'x', $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
      b: { $id: 'x', $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'array' },
      c: { $id: 'x', type: 'string' },
    };
    expect(errors({}, { schemas })).toEqual([]);
  });
});

describe('signalFrom', () => {
  it('TFX-11 takes an enum or a boolean when every value has a transition', () => {
    expect(
      errors({
        validationSchema: 'review',
        signalFrom: 'verdict',
        transitions: on('SIGNAL:APPROVE', 'SIGNAL:NEEDS_WORK'),
      }),
    ).toEqual([]);
    expect(
      errors({
        validationSchema: 'review',
        signalFrom: 'safe',
        transitions: on('SIGNAL:TRUE', 'SIGNAL:FALSE'),
      }),
    ).toEqual([]);
  });

  it('TFX-11 lists the values without a transition; FAIL_DEFAULT does not stand for them', () => {
    expect(
      errors({ validationSchema: 'review', signalFrom: 'verdict', transitions: on('SIGNAL:FAIL_DEFAULT') }),
    ).toEqual([
      'node A, block Go, transitions: signalFrom "verdict" needs a transition for every value; missing: SIGNAL:APPROVE, SIGNAL:NEEDS_WORK.',
    ]);
  });

  it.each([
    [{ signalFrom: 'verdict' }, 'needs a validationSchema'],
    [{ signalFrom: 'verdit', validationSchema: 'review' }, 'Did you mean "verdict"?'],
    [{ signalFrom: 'note', validationSchema: 'review' }, 'must be an enum of texts or a boolean'],
    [{ signalFrom: 'x', validationSchema: 'files' }, 'needs a schema of type "object"'],
    [{ signalFrom: 'x', validationSchema: 'optional' }, 'must be in "required"'],
    [{ signalFrom: 'x', validationSchema: 'mixed' }, 'must be an enum of texts or a boolean'],
    [{ signalFrom: 'x', validationSchema: 'empty' }, 'must be an enum of texts or a boolean'],
    [{ signalFrom: 'x', validationSchema: 'twins', transitions: on('SIGNAL:A_B') }, 'both become SIGNAL:A_B'],
  ])('TFX-11 rejects %j', (fields, words) => {
    const schemas = {
      review,
      optional: of({ type: 'boolean' }, []),
      mixed: of({ enum: ['a', 1] }),
      empty: of({}),
      twins: of({ enum: ['a-b', 'a b'] }),
    };
    const found = errors(fields, { schemas });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(words);
  });

  it.each([
    ['approve', 'SIGNAL:APPROVE'],
    ['needs work!', 'SIGNAL:NEEDS_WORK_'],
    [true, 'SIGNAL:TRUE'],
    ['ja, überprüft', 'SIGNAL:JA__ÜBERPRÜFT'],
  ])('TFX-11 %j becomes %s', (value, signal) => {
    expect(signalOfValue(value)).toBe(signal);
  });
});
