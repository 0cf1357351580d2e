import { describe, expect, it } from 'vitest';
import { ActionHandler } from '../index.ts';
import { executeAction } from './actions.ts';

describe('executeAction', () => {
  it('ACT-02 ENG-26 JUMP moves to the block and leaves the stack alone', () => {
    const stack = ['X__Y'];
    const result = executeAction({ action: 'JUMP:NodeA__BlockB', returnStack: stack });
    expect(result).toEqual({ nextBlockId: 'NodeA__BlockB', returnStack: ['X__Y'] });
  });

  it('ACT-03 ENG-27 CALL pushes the return address and goes to the entry block', () => {
    const result = executeAction({
      action: 'CALL:Child',
      returnStack: [],
      returnAddress: 'Parent__After',
      resolveEntryBlock: (node) => (node === 'Child' ? 'Child__Entry' : undefined),
    });
    expect(result).toEqual({ nextBlockId: 'Child__Entry', returnStack: ['Parent__After'] });
  });

  it('ACT-03 CALL may name its return block', () => {
    const result = executeAction({ action: 'CALL:Child__Entry:Parent__Late', returnStack: ['A__x'] });
    expect(result).toEqual({ nextBlockId: 'Child__Entry', returnStack: ['A__x', 'Parent__Late'] });
  });

  it('ACT-03 CALL without an address to return to goes there for good', () => {
    const result = executeAction({ action: 'CALL:Child__Entry', returnStack: ['A__x'] });
    expect(result).toEqual({ nextBlockId: 'Child__Entry', returnStack: ['A__x'] });
    expect(ActionHandler).toBe(executeAction);
  });

  it('ENG-28 ACT-04 RETURN pops the newest address', () => {
    const result = executeAction({ action: 'RETURN', returnStack: ['A__x', 'B__y'] });
    expect(result).toEqual({ nextBlockId: 'B__y', returnStack: ['A__x'] });
  });

  it('ENG-29 RETURN on an empty stack yields no next block', () => {
    expect(executeAction({ action: 'RETURN', returnStack: [] })).toEqual({
      nextBlockId: null,
      returnStack: [],
    });
  });

  it('ACT-05 popping the end of a node returns again', () => {
    const result = executeAction({ action: 'RETURN', returnStack: ['A__x', 'B__@end'] });
    expect(result).toEqual({ nextBlockId: 'A__x', returnStack: [] });
  });

  it('ACT-06 HALT_AND_FLAG halts without a next block', () => {
    expect(executeAction({ action: 'HALT_AND_FLAG', returnStack: ['A__x'] })).toEqual({
      nextBlockId: null,
      returnStack: ['A__x'],
      halted: true,
    });
  });

  it('ENG-25 is pure: equal input gives equal output, and the stack is not touched', () => {
    const params = { action: 'CALL:C__e:P__a', returnStack: Object.freeze(['Z__z']) };
    expect(executeAction(params)).toEqual(executeAction(params));
    expect(params.returnStack).toEqual(['Z__z']);
  });

  it.each(['JUMP:', 'JUMP: ', 'CALL:', 'CALL:A:', 'FLY:x', '', 'jump:A', 'RETURN:A', 'FORK:A', 'JUMP:A:B'])(
    'ACT-07 refuses "%s" and names it',
    (action) => {
      expect(() => executeAction({ action, returnStack: [], returnAddress: 'A__b' })).toThrow(`"${action}"`);
    },
  );

  it('ACT-07 ignores blanks around a target', () => {
    expect(executeAction({ action: 'JUMP: A__b ', returnStack: [] }).nextBlockId).toBe('A__b');
  });
});
