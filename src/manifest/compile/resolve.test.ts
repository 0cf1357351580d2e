import { describe, expect, it } from 'vitest';
import { type Compiled, compileManifest } from '../compile.ts';
import { formatProblem } from '../problem.ts';

const end = { worker: 'w', transitions: [] };

function compile(gates: string[]): Compiled {
  return compileManifest({
    nodes: {
      A: { entry_block: 'Test', blocks: { Test: end } },
      B: {
        entry_block: 'Test',
        blocks: {
          Test: { ...end, transitions: [{ on_signal: 'SIGNAL:S', action: 'JUMP:Lint' }] },
          Lint: end,
        },
      },
    },
    gates,
  });
}

describe('gates', () => {
  it('ENG-06 name blocks by full id, or by a name that only one node has', () => {
    expect(compile(['A__Test']).manifest?.gates).toEqual(['A__Test']);
    expect(compile(['Lint']).manifest?.gates).toEqual(['B__Lint']);
    expect(compile(['Test']).problems.map(formatProblem)).toEqual([
      'gates[0]: Gate "Test" could be A__Test or B__Test; write the full id.',
    ]);
    expect(compile(['Lint', 'Lnit']).problems).toMatchObject([
      { index: 1, severity: 'error', message: 'Gate "Lnit" is not a block. Did you mean "Lint"?' },
    ]);
  });
});
