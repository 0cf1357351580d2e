import { expect, it } from 'vitest';
import { contentText } from '../../manifest/segment.ts';
import { hintSegments } from './hints.ts';

it('B-20 hints from earlier failures fit into 350 characters, with what failed and what it said last', () => {
  const why = `\`npm test\` failed.\n${'noise '.repeat(200)}\nexpected 3, got 4`;
  const failure = { task: 't', attempt: 2, failureClass: 'test', why };
  const [segment] = hintSegments([failure, { ...failure, task: 'other', attempt: 1 }], 't');
  const text = segment ? contentText(segment) : '';
  expect(text.length).toBeLessThanOrEqual(350);
  expect(text).toMatch(/^- attempt 2 of this task \(test\): `npm test` failed\./);
  expect(text).toContain('expected 3, got 4\n- another task of this kind (test): `npm test`');
  expect(hintSegments([], 't')).toEqual([]);
});
