import { describe, expect, it } from 'vitest';
import { compileManifest } from '../compile.ts';
import type { Problem } from '../problem.ts';
import type { MergeInstruction } from '../resolved.ts';

const end = { worker: 'w', transitions: [] };
const transitions = [{ on_signal: 'SIGNAL:S', action: 'JUMP:B' }];

function strategy(
  instructions: string[],
  options: { strict?: boolean } = {},
): { merge?: readonly MergeInstruction[]; problems: readonly Problem[] } {
  const { manifest, problems } = compileManifest(
    {
      A: {
        entry_block: 'Go',
        static_memory: { rules: 1, 'a:b': 2 },
        blocks: { Go: { worker: 'w', payload_merge_strategy: instructions, transitions } },
      },
      B: { entry_block: 'Make', blocks: { Make: end } },
    },
    options,
  );
  const merge = manifest?.blocks.A__Go?.merge;
  return merge ? { merge, problems } : { problems };
}

describe('merge instructions', () => {
  it('ENG-13 keeps every instruction in its order', () => {
    const written = [
      'LATEST:TEST_RESULT',
      'TYPE:CODE_OUTPUT',
      'EXCLUDE:ERROR',
      'FROM:Go',
      'FROM:B__Make',
      'MERGE:STATIC_MEMORY:rules',
      'MERGE:STATIC_MEMORY:a:b',
      ' ALL ',
    ];
    expect(strategy(written)).toEqual({
      problems: [],
      merge: [
        { take: 'LATEST', type: 'TEST_RESULT' },
        { take: 'TYPE', type: 'CODE_OUTPUT' },
        { take: 'EXCLUDE', type: 'ERROR' },
        { take: 'FROM', block: 'A__Go' },
        { take: 'FROM', block: 'B__Make' },
        { take: 'STATIC_MEMORY', key: 'rules' },
        { take: 'STATIC_MEMORY', key: 'a:b' },
        { take: 'ALL' },
      ],
    });
  });

  it.each([
    'LATST:TEST_RESULT',
    'TYPE:',
    'TYPE',
    'ALL:x',
    '',
    'MERGE:rules',
    'MERGE:STATIC_MEMORY:',
    'FROM: ',
  ])('ENG-13 warns of %j and leaves it out; strict makes it an error', (written) => {
    const lenient = strategy([written, 'ALL']);
    expect(lenient.merge).toEqual([{ take: 'ALL' }]);
    expect(lenient.problems).toMatchObject([
      { severity: 'warning', index: 0, message: expect.stringContaining('is not a merge instruction') },
    ]);
    const strict = strategy([written, 'ALL'], { strict: true });
    expect(strict.merge).toBeUndefined();
    expect(strict.problems).toMatchObject([{ severity: 'error', index: 0 }]);
  });

  it('ENG-13 suggests the instruction that was meant', () => {
    expect(strategy(['LATST:X']).problems[0]?.message).toContain('Did you mean "LATEST"?');
  });

  it('ENG-13 rejects FROM a block that does not exist', () => {
    expect(strategy(['FROM:Mak']).problems).toMatchObject([
      { severity: 'error', message: expect.stringContaining('"Mak"') },
    ]);
    expect(strategy(['FROM:B__Mkae']).problems[0]?.message).toContain('Did you mean "B__Make"?');
  });

  it('ENG-13 warns of a static memory key that no node has', () => {
    expect(strategy(['MERGE:STATIC_MEMORY:rule'])).toMatchObject({
      merge: [{ take: 'STATIC_MEMORY', key: 'rule' }],
      problems: [{ severity: 'warning', message: expect.stringContaining('Did you mean "rules"?') }],
    });
  });
});
