import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileManifest } from '../compile.ts';
import { formatProblem } from '../problem.ts';

const end = { worker: 'w', transitions: [] };
const jump = (target: string) => ({
  worker: 'w',
  transitions: [{ on_signal: 'SIGNAL:S', action: `JUMP:${target}` }],
});

function errors(input: unknown): string[] {
  return compileManifest(input)
    .problems.filter((problem) => problem.severity === 'error')
    .map(formatProblem);
}

function targetOf(input: unknown, block: string): unknown {
  const { manifest, problems } = compileManifest(input);
  const action = manifest?.blocks[block]?.transitions[0]?.action;
  return action && 'to' in action ? action.to : problems.map(formatProblem);
}

describe('block names', () => {
  it('ENG-11 resolves a full id from another node', () => {
    const input = {
      Feature_Implement: { entry_block: 'Go', blocks: { Go: jump('Core_IO__WriteArtifacts') } },
      Core_IO: { entry_block: 'WriteArtifacts', blocks: { WriteArtifacts: end } },
    };
    expect(targetOf(input, 'Feature_Implement__Go')).toBe('Core_IO__WriteArtifacts');
  });

  it('ENG-11 resolves a bare name inside its own node only', () => {
    const input = {
      A: { entry_block: 'Go', blocks: { Go: jump('End'), End: end } },
      B: { entry_block: 'End', blocks: { End: end } },
    };
    expect(targetOf(input, 'A__Go')).toBe('A__End');
    const outside = { ...input, C: { entry_block: 'Go', blocks: { Go: jump('End') } } };
    expect(errors(outside)).toEqual([expect.stringContaining('JUMP names "End"')]);
  });

  it('ENG-11 accepts full ids as map keys and as entry_block', () => {
    const input = { A: { entry_block: 'A__Go', blocks: { A__Go: jump('End'), A__End: end } } };
    const { manifest } = compileManifest(input);
    expect(manifest?.nodes.A).toMatchObject({ entry: 'A__Go', order: ['A__Go', 'A__End'] });
    expect(manifest?.blocks.A__End).toMatchObject({ name: 'End', node: 'A' });
    expect(targetOf(input, 'A__Go')).toBe('A__End');
  });

  it('ENG-11 a node id may hold "__": the longest prefix that names a node counts', () => {
    const input = {
      A: { entry_block: 'Go', blocks: { Go: jump('A__B__C') } },
      A__B: { entry_block: 'C', blocks: { C: end } },
    };
    expect(targetOf(input, 'A__Go')).toBe('A__B__C');
    expect(compileManifest(input).manifest?.blocks.A__B__C?.node).toBe('A__B');
  });

  it('ENG-11 the full id of another node wins over an equal bare name', () => {
    const input = {
      A: { entry_block: 'Go', blocks: { Go: jump('B__C'), B__C: end } },
      B: { entry_block: 'C', blocks: { C: end } },
    };
    expect(targetOf(input, 'A__Go')).toBe('B__C');
  });

  it.each([
    [{ A: { entry_block: 'B', blocks: { B: end, A__B: end } } }],
    [{ A: { entry_block: 'B__C', blocks: { B__C: end } }, A__B: { entry_block: 'C', blocks: { C: end } } }],
  ])('ENG-11 rejects duplicates after canonicalising: %j', (input) => {
    expect(errors(input)).toEqual([expect.stringMatching(/has the id A__B(__C)?, which .* has already/)]);
  });

  it.each([
    ['7', 'looks like a number'],
    ['@end', 'is reserved'],
    ['', 'is empty'],
    ['A__', 'is empty'],
    [' Go', 'begins or ends with a blank'],
    ['a:b', 'holds a colon'],
    ['a\nb', 'control character'],
  ])('ACT-05 rejects the block name %j', (name, words) => {
    const problems = errors({ A: { entry_block: 'Go', blocks: { Go: end, [name]: end } } });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(words);
  });

  it('ENG-11 rejects a node name that no action could write', () => {
    expect(errors({ 'A:B': { entry_block: 'Go', blocks: { Go: end } } })).toEqual([
      expect.stringContaining('The node name "A:B" holds a colon'),
    ]);
  });

  it('ENG-06 rejects an entry_block that does not exist or belongs to another node', () => {
    const blocks = { Go: end };
    expect(errors({ A: { entry_block: 'Og', blocks } })).toEqual([
      'node A, entry_block: "Og" is not a block of this node. Did you mean "Go"?',
    ]);
    expect(errors({ A: { entry_block: 'B__Go', blocks }, B: { entry_block: 'Go', blocks } })).toEqual([
      'node A, entry_block: "B__Go" is a block of node B; name one of this node\'s own blocks.',
    ]);
    expect(errors({ A: { entry_block: 'toString', blocks } })).toHaveLength(1);
  });

  it('ENG-11 reaches every block of every node by its full id', () => {
    const name = fc.stringMatching(/^[A-Za-z]{1,3}(__[A-Za-z]{1,2})?$/);
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.uniqueArray(name, { minLength: 1, maxLength: 4 }), { minKeys: 1 }),
        (tree) => {
          const ids = Object.entries(tree).flatMap(([node, blocks]) =>
            blocks.map((block) => (block.startsWith(`${node}__`) ? block : `${node}__${block}`)),
          );
          const input = Object.fromEntries(
            Object.entries(tree).map(([node, blocks]) => [
              node,
              {
                entry_block: blocks[0]?.startsWith(`${node}__`) ? blocks[0] : `${node}__${blocks[0]}`,
                blocks: Object.fromEntries(
                  blocks.map((block) => [
                    block,
                    {
                      worker: 'w',
                      transitions: ids.map((id, index) => ({
                        on_signal: `SIGNAL:S${index}`,
                        action: `JUMP:${id}`,
                      })),
                    },
                  ]),
                ),
              },
            ]),
          );
          const { manifest, problems } = compileManifest(input);
          if (new Set(ids).size < ids.length) {
            expect(problems.some(({ message }) => message.includes('has already'))).toBe(true);
            return;
          }
          const found = Object.values(manifest?.blocks ?? {}).map((block) =>
            block.transitions.map(({ action }) => 'to' in action && action.to),
          );
          expect(found).toEqual(ids.map(() => ids));
        },
      ),
      { numRuns: 300, seed: 5 },
    );
  });
});
