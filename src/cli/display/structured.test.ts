import { expect, it } from 'vitest';
import { segmentLines } from './segments.ts';
import { makeStyle } from './style.ts';

it('what a segment holds is read part by part, not as one line of JSON', () => {
  const segments = [
    {
      id: 's1',
      type: 'SUSPICIOUS_CHANGE',
      passed: false,
      runs: [{ color: 'red', exitCode: 1 }],
      content: { tree: 'abc', found: [{ rule: 'test_removed', what: 'one\ntwo' }], none: [] },
    },
    { id: 's2', type: 'MODEL_OUTPUT', content: '{"answer":"yes","why":{"because":"it is"}}' },
    { id: 's3', type: 'TEXT', content: '{ not JSON' },
  ];
  expect(segmentLines(segments as never, makeStyle(false))).toEqual([
    '  SUSPICIOUS_CHANGE s1 passed=false',
    '    runs:',
    '      - color: red',
    '        exitCode: 1',
    '    tree: abc',
    '    found:',
    '      - rule: test_removed',
    '        what:',
    '          one',
    '          two',
    '    none: none',
    '  MODEL_OUTPUT s2',
    '    answer: yes',
    '    why:',
    '      because: it is',
    '  TEXT s3',
    '    { not JSON',
  ]);
});
