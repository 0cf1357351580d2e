import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileManifest, requireManifest } from './compile.ts';
import { ManifestInvalidError } from './load-error.ts';
import { formatProblem } from './problem.ts';

const lines = (input: unknown): string[] =>
  compileManifest(input, { file: 'w.json' }).problems.map(formatProblem);

const go = (action: string) => [{ on_signal: 'SIGNAL:SUCCESS', action }];

describe('compiling a manifest', () => {
  it('ENG-06 resolves a valid manifest and freezes the result, not the input', () => {
    const input = {
      nodes: {
        Core: {
          entry_block: 'Run',
          static_memory: { rules: ['x'] },
          blocks: {
            Run: {
              worker: 'w',
              payload_merge_strategy: ['ALL'],
              transitions: go('JUMP:Done'),
              instructions: 'do {{goal}}',
              limits: { visits: 3 },
            },
            Done: { worker: 'w', transitions: [] },
          },
        },
      },
      gates: ['Run'],
      budget: { usd: 2 },
    };
    const before = structuredClone(input);
    const { manifest, problems } = compileManifest(input);
    expect(problems).toEqual([]);
    expect(manifest).toEqual({
      version: 1,
      nodes: {
        Core: {
          id: 'Core',
          entry: 'Core__Run',
          inherits: true,
          memory: { rules: ['x'] },
          order: ['Core__Run', 'Core__Done'],
        },
      },
      blocks: {
        Core__Run: {
          id: 'Core__Run',
          node: 'Core',
          name: 'Run',
          worker: 'w',
          merge: [{ take: 'ALL' }],
          transitions: [
            {
              on_signal: 'SIGNAL:SUCCESS',
              action: { verb: 'JUMP', to: 'Core__Done', text: 'JUMP:Done' },
            },
          ],
          next: 'Core__Done',
          with: {},
          instructions: 'do {{goal}}',
          limits: { visits: 3 },
        },
        Core__Done: {
          id: 'Core__Done',
          node: 'Core',
          name: 'Done',
          worker: 'w',
          merge: [],
          transitions: [],
          next: 'Core__@end',
          with: {},
        },
      },
      workers: {},
      budget: { steps: 1000, usd: 2 },
      gates: ['Core__Run'],
      schemas: {},
    });
    expect(isFrozenDeep(manifest)).toBe(true);
    expect(input).toEqual(before);
    expect(Object.isFrozen(input.nodes.Core.static_memory.rules)).toBe(false);
  });

  it('ENG-06 survives storage: the result is plain JSON', () => {
    const { manifest } = compileManifest({
      A: { entry_block: 'B', blocks: { B: { worker: 'w', transitions: [] } } },
    });
    expect(JSON.parse(JSON.stringify(manifest))).toEqual(manifest);
  });

  it.each([
    [[], 'this is an empty list.'],
    [null, 'this is null.'],
    ['{}', 'this is the text "{}".'],
    [7, 'this is 7.'],
    [undefined, 'undefined cannot be part of it.'],
    [{}, 'The manifest has no nodes'],
    [{ nodes: {} }, 'The manifest has no nodes'],
    [{ A: () => 1 }, 'a function cannot be part of it.'],
    [
      { A: { entry_block: 'B', static_memory: { at: new Date(0) } } },
      'an instance of Date cannot be part of it.',
    ],
    [{ A: { entry_block: 'B', static_memory: { n: Number.NaN } } }, 'NaN cannot be part of it.'],
    [JSON.parse('{"A": {"__proto__": {"entry_block": "B"}}}'), '"__proto__" is not allowed'],
  ])('ENG-06 refuses %j', (input, words) => {
    const { manifest } = compileManifest(input);
    expect(manifest).toBeUndefined();
    expect(lines(input).join('\n')).toContain(words);
    expect(() => requireManifest(input)).toThrow(ManifestInvalidError);
  });

  it('ENG-06 refuses a cycle of objects and does not hang', () => {
    const loop: { [key: string]: unknown } = {};
    loop.self = loop;
    expect(lines({ A: loop }).join('\n')).toContain('nested deeper than 100 levels');
  });

  it('ENG-06 reports all problems of all blocks at once, in the order of the document', () => {
    const input = {
      A: {
        entry_block: 'Frist',
        blocks: {
          First: {
            worker: 5,
            transitions: [{ on_signal: 'SIGNAL:S', action: 'JUMP:Secnd' }, { on_signal: 'SIGNAL:S' }],
          },
          Second: { worker: 'w', transitions: go('FLY:x'), limits: { visits: -1 } },
        },
      },
      B: {
        entry_block: 'X',
        context_inheritance: 'FALSE',
        blocks: { X: { worker: 'w', transitions: go('CALL:Z') } },
      },
    };
    expect(lines(input)).toEqual([
      'w.json: node A, entry_block: "Frist" is not a block of this node. Did you mean "First"?',
      'w.json: node A, block First, worker: "worker" must be a text, but is 5.',
      'w.json: node A, block First, transitions[1].action: "action" is missing; it must be a text.',
      'w.json: node A, block First, transitions[0].action: JUMP names "Secnd", which is neither a block of node A, nor a full block id, nor a node. Did you mean "Second"?',
      'w.json: node A, block First, transitions[1]: SIGNAL:S has a transition above, so this one is never used; remove one.',
      'w.json: node A, block Second, limits.visits: "visits" must be 0 or more, but is -1.',
      'w.json: node A, block Second, transitions[0].action: "FLY:x" is not an action; write one of JUMP:<Block>, CALL:<Node>, CALL:<Node>:<ReturnBlock>, RETURN, RETURN:SIGNAL:<SIGNAL>, HALT_AND_FLAG.',
      'w.json: node B, context_inheritance: "context_inheritance" must be true or false, but is the text "FALSE". Write false, without quotes.',
      expect.stringContaining('w.json: node B, block X, transitions[0].action: CALL names "Z"'),
    ]);
  });

  it('ENG-06 throws one error that lists every problem', () => {
    const broken = {
      A: { entry_block: 'B', blocks: { C: { worker: 'w', transitions: go('JUMP:Nowhere') } } },
    };
    expect(() => requireManifest(broken)).toThrow(
      /2 problems:\n {2}node A, entry_block.*\n {2}node A, block C/,
    );
  });

  it('ENG-06 gives a manifest exactly when there is no error, whatever the input', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.dictionary(fc.string(), fc.anything())), (input) => {
        const { manifest, problems } = compileManifest(input);
        expect(manifest === undefined).toBe(problems.some((problem) => problem.severity === 'error'));
        for (const problem of problems) expect(formatProblem(problem)).not.toMatch(/[\n\r]/);
      }),
      { numRuns: 500, seed: 3 },
    );
  });

  it('ENG-05 absent flag, memory and strategy mean true, {} and []', () => {
    const { manifest } = compileManifest({
      A: { entry_block: 'B', blocks: { B: { worker: 'w', transitions: [] } } },
      C: { entry_block: 'B', context_inheritance: false, blocks: { B: { worker: 'w', transitions: [] } } },
    });
    expect(manifest?.nodes.A).toMatchObject({ inherits: true, memory: {} });
    expect(manifest?.nodes.C?.inherits).toBe(false);
    expect(manifest?.blocks.A__B?.merge).toEqual([]);
  });

  it('ENG-32 a budget of steps is 1000 unless the manifest says otherwise', () => {
    const nodes = { A: { entry_block: 'B', blocks: { B: { worker: 'w', transitions: [] } } } };
    expect(compileManifest(nodes).manifest?.budget).toEqual({ steps: 1000 });
    expect(compileManifest({ nodes, budget: { steps: 0 } }).manifest?.budget).toEqual({ steps: 0 });
  });
});

function isFrozenDeep(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozenDeep);
}
