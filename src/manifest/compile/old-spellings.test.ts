import { describe, expect, it } from 'vitest';
import { compileManifest } from '../compile.ts';
import { formatProblem } from '../problem.ts';

const schemas = {
  review: { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' } } },
};
const ways = ['TRUE', 'FALSE', 'FAIL_DEFAULT'].map((word) => ({
  on_signal: `SIGNAL:${word}`,
  action: 'HALT_AND_FLAG',
}));
const nodesWith = (fields: object) => ({
  A: {
    entry_block: 'Go',
    blocks: { Go: { worker: 'w', validationSchema: 'review', transitions: ways, ...fields } },
  },
});
const old = nodesWith({ signal_from: 'ok', limits: { visits: 3, same_failure: 2 } });
const now = nodesWith({ signalFrom: 'ok', limits: { visits: 3, sameFailure: 2 } });

describe('the spelling of our own fields', () => {
  it('is camelCase, without a word said', () => {
    const { manifest, problems } = compileManifest({ nodes: now, schemas });
    expect(problems).toEqual([]);
    expect(manifest?.blocks['A__Go']).toMatchObject({ signalFrom: 'ok', limits: { sameFailure: 2 } });
  });

  it('may be the old one, with a warning that names the new one', () => {
    const { manifest, problems } = compileManifest({ nodes: old, schemas });
    expect(manifest).toEqual(compileManifest({ nodes: now, schemas }).manifest);
    expect(problems.map(({ severity }) => severity)).toEqual(['warning', 'warning']);
    expect(problems.map(formatProblem)).toEqual([
      expect.stringMatching(/node A, block Go.*"signal_from" is now spelled "signalFrom"/),
      expect.stringMatching(/node A, block Go.*"same_failure" is now spelled "sameFailure"/),
    ]);
  });

  it('is found in a plain dictionary of nodes too', () => {
    const { manifest, problems } = compileManifest(
      {
        A: {
          entry_block: 'Go',
          blocks: { Go: { worker: 'w', transitions: ways, limits: { same_failure: 2 } } },
        },
      },
      {},
    );
    expect(manifest?.blocks['A__Go']?.limits).toEqual({ sameFailure: 2 });
    expect(problems.map(({ severity }) => severity)).toEqual(['warning']);
  });

  it('is refused when a field is written in both', () => {
    const { manifest, problems } = compileManifest({
      nodes: nodesWith({ signalFrom: 'ok', signal_from: 'ok' }),
      schemas,
    });
    expect(manifest).toBeUndefined();
    expect(problems.map(formatProblem).join('\n')).toContain('The key "signal_from" is not known here');
  });
});
