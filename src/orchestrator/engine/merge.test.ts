import { describe, expect, it } from 'vitest';
import type { MergeInstruction } from '../../manifest/resolved.ts';
import { History } from '../state/history.ts';
import { merge } from './merge.ts';
import { reconcile } from './reconcile.ts';

const segment = (id: string, type: string) => ({ id, type, content: id });
const c1 = segment('c1', 'CODE_OUTPUT');
const t1 = segment('t1', 'TEST_RESULT');
const c2 = segment('c2', 'CODE_OUTPUT');
const history = History.of([c1], 'N__A').append([t1], 'N__B').append([c2], 'N__A');

function ids(instructions: MergeInstruction[], memory = {}) {
  return merge(instructions, history, memory)
    .payload()
    .map((entry) => entry.id);
}

describe('payload merge', () => {
  it('ENG-13 an empty list shows the whole history', () => {
    expect(ids([])).toEqual(['c1', 't1', 'c2']);
  });

  it('ENG-13 TFX-08 what is named first comes first, and nothing comes twice', () => {
    expect(ids([{ take: 'LATEST', type: 'TEST_RESULT' }, { take: 'ALL' }])).toEqual(['t1', 'c1', 'c2']);
  });

  it('ENG-13 TYPE, LATEST, EXCLUDE and FROM choose', () => {
    expect(ids([{ take: 'TYPE', type: 'CODE_OUTPUT' }])).toEqual(['c1', 'c2']);
    expect(ids([{ take: 'LATEST', type: 'CODE_OUTPUT' }])).toEqual(['c2']);
    expect(ids([{ take: 'EXCLUDE', type: 'CODE_OUTPUT' }])).toEqual(['t1']);
    expect(ids([{ take: 'ALL' }, { take: 'EXCLUDE', type: 'TEST_RESULT' }])).toEqual(['c1', 'c2']);
    expect(ids([{ take: 'FROM', block: 'N__A' }])).toEqual(['c1', 'c2']);
    expect(ids([{ take: 'FROM', block: 'N__B' }])).toEqual(['t1']);
  });

  it('ENG-13 static memory alone still includes the whole history first', () => {
    expect(ids([{ take: 'STATIC_MEMORY', key: 'a:b' }], { 'a:b': 'rule' })).toEqual([
      'c1',
      't1',
      'c2',
      '@static:a:b',
    ]);
  });
});

describe('static memory', () => {
  const rule: MergeInstruction = { take: 'STATIC_MEMORY', key: 'rule' };
  const memory = { rule: 'R' };

  it('ENG-13 stands where the strategy puts it', () => {
    const test: MergeInstruction = { take: 'LATEST', type: 'TEST_RESULT' };
    expect(ids([rule, { take: 'ALL' }], memory)).toEqual(['@static:rule', 'c1', 't1', 'c2']);
    expect(ids([{ take: 'ALL' }, rule], memory)).toEqual(['c1', 't1', 'c2', '@static:rule']);
    expect(ids([test, rule, { take: 'ALL' }], memory)).toEqual(['t1', '@static:rule', 'c1', 'c2']);
    expect(ids([rule, test], memory)).toEqual(['@static:rule', 't1']);
    expect(ids([rule, { take: 'EXCLUDE', type: 'CODE_OUTPUT' }], memory)).toEqual(['t1', '@static:rule']);
  });

  it('ENG-16 is never taken for history, wherever it stands', () => {
    for (const strategy of [
      [rule, { take: 'ALL' }],
      [rule, { take: 'TYPE', type: 'TEST_RESULT' }],
    ] as const) {
      const merged = merge(strategy, history, memory);
      expect(reconcile(history, merged, merged.payload())).toEqual({ added: [], dropped: [] });
    }
  });
});

describe('what a returned payload does', () => {
  const fresh = segment('n1', 'NOTE');

  it('ENG-02 keeps what was returned, drops what was shown and not returned, appends what is new', () => {
    const merged = merge([], history, {});
    expect(reconcile(history, merged, [c1, c2, fresh])).toEqual({ added: [fresh], dropped: ['t1'] });
    expect(reconcile(history, merged, [c1, t1, c2, fresh])).toEqual({ added: [fresh], dropped: [] });
    expect(reconcile(history, merged, [])).toEqual({ added: [], dropped: ['c1', 't1', 'c2'] });
  });

  it('ENG-02 segments that were not shown stay', () => {
    const merged = merge([{ take: 'LATEST', type: 'CODE_OUTPUT' }], history, {});
    expect(reconcile(history, merged, [fresh])).toEqual({ added: [fresh], dropped: ['c2'] });
  });

  it('ENG-02 a segment that comes back changed replaces the old one, and the history is not altered', () => {
    const merged = merge([], history, {});
    const changed = { ...t1, content: 'another log' };
    expect(reconcile(history, merged, [c1, changed, c2])).toEqual({
      added: [{ ...changed, id: 't1#2' }],
      dropped: ['t1'],
    });
  });

  it('ENG-02 an id that a hidden segment has is not lost but gets a suffix', () => {
    const merged = merge([{ take: 'LATEST', type: 'TEST_RESULT' }], history, {});
    const collision = { id: 'c1', type: 'CODE_OUTPUT', content: 'attempt 2' };
    expect(reconcile(history, merged, [t1, collision])).toEqual({
      added: [{ ...collision, id: 'c1#2' }],
      dropped: [],
    });
  });

  it('ENG-02 a dropped segment is gone from every view, in the version that dropped it only', () => {
    const without = history.drop(['t1', 'c2']);
    expect(without.segments()).toEqual([c1]);
    expect([without.latest('CODE_OUTPUT'), without.ofType('TEST_RESULT'), without.from('N__B')]).toEqual([
      c1,
      [],
      [],
    ]);
    expect(without.length).toBe(1);
    expect(without.isPrefixOf([c1, t1])).toBe(true);
    expect(without.append([fresh], 'N__C').segments()).toEqual([c1, fresh]);
    expect(history.segments()).toEqual([c1, t1, c2]);
    expect(history.drop(['c1']).segments()).toEqual([t1, c2]);
    expect(without.knows('t1')).toBe(true);
  });

  it('ENG-02 a copy with the same id is the same segment', () => {
    const merged = merge([], history, {});
    expect(reconcile(history, merged, [{ ...c1 }, t1, c2])).toEqual({ added: [], dropped: [] });
  });

  it('ENG-16 injected segments never enter the history', () => {
    const merged = merge([{ take: 'STATIC_MEMORY', key: 'k' }], history, { k: 'secret rule' });
    expect(reconcile(history, merged, merged.payload())).toEqual({ added: [], dropped: [] });
  });

  it('ENG-01 two new segments never share an id', () => {
    const { added } = reconcile(history, merge([], history, {}), [c1, t1, c2, fresh, { ...fresh }]);
    expect(added.map((entry) => entry.id)).toEqual(['n1', 'n1#2']);
  });

  it.each([
    [null, 'not a segment'],
    [{ id: 'x', content: 1 }, 'no type'],
    [{ type: 'T', content: 1 }, 'no id'],
    [{ id: 'x', type: 'T' }, 'no content'],
    [{ id: 'x', type: 'T', content: 10n }, 'bigint'],
    [{ id: 'x', type: 'T', content: { when: new Date(0) } }, 'Date'],
  ])('ENG-20 refuses %o: %s', (bad, reason) => {
    expect(() => reconcile(history, merge([], history, {}), [bad])).toThrow(reason);
  });
});
