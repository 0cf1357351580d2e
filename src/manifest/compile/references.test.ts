import { describe, expect, it } from 'vitest';
import { compileManifest } from '../compile.ts';
import { formatProblem } from '../problem.ts';
import type { ResolvedAction } from '../resolved.ts';

const end = { worker: 'w', transitions: [] };

/** Compiles a manifest in which block One of node Parent has the action. */
function actionIn(action: string, more: object = {}): ResolvedAction | string[] {
  const { manifest, problems } = compileManifest({
    Parent: {
      entry_block: 'One',
      blocks: {
        One: { worker: 'w', transitions: [{ on_signal: 'SIGNAL:S', action }] },
        Two: end,
        Three: end,
      },
    },
    Child: { entry_block: 'Second', blocks: { First: end, Second: end } },
    ...more,
  });
  const errors = problems.filter((problem) => problem.severity === 'error').map(formatProblem);
  return manifest?.blocks.Parent__One?.transitions[0]?.action ?? errors;
}

describe('actions are resolved at load', () => {
  it('ACT-02 JUMP names a block of the node or a full id', () => {
    expect(actionIn('JUMP:Two')).toEqual({ verb: 'JUMP', to: 'Parent__Two', text: 'JUMP:Two' });
    expect(actionIn('JUMP:Child__First')).toEqual({
      verb: 'JUMP',
      to: 'Child__First',
      text: 'JUMP:Child__First',
    });
    expect(actionIn(' JUMP: Two ')).toEqual({ verb: 'JUMP', to: 'Parent__Two', text: ' JUMP: Two ' });
  });

  it('ACT-02 JUMP to a node goes to its entry block', () => {
    expect(actionIn('JUMP:Child')).toMatchObject({ verb: 'JUMP', to: 'Child__Second' });
  });

  it('ACT-02 JUMP is refused where a block of the node and a node have the name', () => {
    expect(actionIn('JUMP:Two', { Two: { entry_block: 'X', blocks: { X: end } } })).toEqual([
      expect.stringContaining('JUMP:Two could mean block Parent__Two or node Two'),
    ]);
  });

  it('ACT-02 a full block id stays that block, even where a node has the same name', () => {
    const clash = { Parent__Two: { entry_block: 'X', blocks: { X: end } } };
    expect(actionIn('JUMP:Parent__Two', clash)).toMatchObject({ to: 'Parent__Two' });
    expect(actionIn('CALL:Parent__Two', clash)).toEqual([expect.stringContaining('could mean node')]);
  });

  it('ACT-03 CALL names a node or a full block id', () => {
    expect(actionIn('CALL:Child')).toEqual({
      verb: 'CALL',
      to: 'Child__Second',
      returnTo: 'Parent__Two',
      text: 'CALL:Child',
    });
    expect(actionIn('CALL:Child__First')).toMatchObject({ to: 'Child__First' });
  });

  it('ACT-03 CALL of a bare block name is refused and the full id is offered', () => {
    expect(actionIn('CALL:Three')).toEqual([expect.stringContaining('write CALL:Parent__Three')]);
  });

  it('ACT-05 CALL returns to the next block, or to the one it names', () => {
    expect(actionIn('CALL:Child')).toMatchObject({ returnTo: 'Parent__Two' });
    expect(actionIn('CALL:Child:Three')).toMatchObject({ returnTo: 'Parent__Three' });
    expect(actionIn('CALL:Child:Child__First')).toMatchObject({ returnTo: 'Child__First' });
    expect(actionIn('CALL:Child:Thre')).toEqual([expect.stringContaining('Did you mean "Three"?')]);
  });

  it('ACT-05 CALL from the last block returns to the end of its node', () => {
    const { manifest } = compileManifest({
      A: {
        entry_block: 'Last',
        blocks: { Last: { worker: 'w', transitions: [{ on_signal: 'SIGNAL:S', action: 'CALL:B' }] } },
      },
      B: { entry_block: 'X', blocks: { X: end } },
    });
    expect(manifest?.blocks.A__Last).toMatchObject({
      next: 'A__@end',
      transitions: [{ action: { to: 'B__X', returnTo: 'A__@end' } }],
    });
  });

  it('ACT-05 every block knows what follows it, for a resumed halt too', () => {
    const { manifest } = compileManifest({
      A: { entry_block: 'One', blocks: { One: end, Two: end, Three: end } },
    });
    expect(Object.values(manifest?.blocks ?? {}).map((block) => block.next)).toEqual([
      'A__Two',
      'A__Three',
      'A__@end',
    ]);
  });

  it('ACT-04 ACT-06 RETURN and HALT_AND_FLAG take no target', () => {
    expect(actionIn('RETURN')).toEqual({ verb: 'RETURN', text: 'RETURN' });
    expect(actionIn('HALT_AND_FLAG')).toEqual({ verb: 'HALT_AND_FLAG', text: 'HALT_AND_FLAG' });
  });

  it.each(['JUMP:', 'CALL:', 'CALL:Child:', 'FLY:x', '', 'jump:Two', 'RETURN:Two', 'JUMP:a:b', 'FORK:Two'])(
    'ACT-07 rejects the action %j',
    (action) => {
      expect(actionIn(action)).toEqual([
        expect.stringContaining(`transitions[0].action: ${JSON.stringify(action)} is not an action`),
      ]);
    },
  );

  it('ACT-07 suggests the verb that was meant', () => {
    expect(actionIn('JMUP:Two')).toEqual([expect.stringContaining('Did you mean "JUMP"?')]);
  });

  it.each([
    ['JUMP:Tow', 'Two'],
    ['JUMP:Chidl', 'Child'],
    ['JUMP:Child__Frist', 'Child__First'],
    ['CALL:Chlid', 'Child'],
  ])('ACT-02 suggests a target for %s', (action, meant) => {
    expect(actionIn(action)).toEqual([expect.stringContaining(`Did you mean "${meant}"?`)]);
  });

  it('ENG-06 a target whose entry block is wrong is reported once, where it is wrong', () => {
    expect(actionIn('CALL:Bad', { Bad: { entry_block: 'Nope', blocks: { X: end } } })).toEqual([
      expect.stringContaining('node Bad, entry_block'),
    ]);
  });
});
