import { expect, test } from 'vitest';
import { BY_ENGINE, withOrigin } from '../../manifest/origin.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import { hardChanges, latestSuspicious, SUSPICIOUS_CHANGE, suspiciousLine } from './segment.ts';

const removed = { rule: 'test_removed', weight: 'hard', path: 'test/a.test.js', what: 'gone' } as const;

function noted(tree: string, kind: 'engine' | 'agent', found: object[] = [removed]): ContextSegment {
  const segment = { id: tree, type: SUSPICIOUS_CHANGE, content: { tree, found } as never };
  return withOrigin(segment, { ...BY_ENGINE, kind });
}

test('CHT-10 the newest word of the engine counts, whatever an agent says after it', () => {
  const payload = [noted('one', 'engine'), noted('two', 'engine'), noted('three', 'agent', [])];
  expect(latestSuspicious(payload)).toEqual({ tree: 'two', found: [removed] });
  expect(latestSuspicious([noted('three', 'agent')])).toBeUndefined();
});

test('CHT-10 a segment that cannot be read is no proof of innocence', () => {
  const broken = withOrigin({ id: '1', type: SUSPICIOUS_CHANGE, content: 'nothing' }, BY_ENGINE);
  expect(() => latestSuspicious([broken])).toThrow();
});

test('CHT-10 hard changes are told by file and line', () => {
  const soft = { ...removed, weight: 'soft', line: 12 } as const;
  expect(hardChanges({ tree: 'one', found: [soft, removed] })).toEqual([removed]);
  expect(suspiciousLine(soft)).toBe('test/a.test.js:12: gone (test_removed)');
});
