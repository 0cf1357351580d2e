import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitProject, worked } from '../../server/fixture/testing.ts';
import { tempProject } from '../../server/testing.ts';
import { anchored } from './anchor.ts';
import { guidanceOf } from './guidance.ts';
import type { ReviewComment } from './review.ts';

const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}`);

describe('where quoted lines are now', () => {
  const text = lines(500).join('\n');

  it.each([
    ['where they were', 10, 'line 10\nline 11', { from: 10, to: 11 }],
    ['moved, and found once nearby', 30, 'line 10', { from: 10, to: 10 }],
    ['with other blanks at their ends', 10, 'line 10  ', { from: 10, to: 10 }],
    ['too far away', 400, 'line 10', undefined],
    ['gone', 10, 'no such line', undefined],
  ])('%s', (_what, from, quote, expected) => {
    expect(anchored(text, { from, quote })).toEqual(expected);
  });

  it('is not certain where they stand twice', () => {
    expect(anchored('a\nx\nb\nx\n', { from: 1, quote: 'x' })).toBeUndefined();
    expect(anchored('a\nx\nb\nx\n', { from: 2, quote: 'x' })).toEqual({ from: 2, to: 2 });
  });
});

const comment = (more: Partial<ReviewComment>): ReviewComment => ({
  id: 'c',
  step: 1,
  text: 'why?',
  state: 'draft',
  ...more,
});

it('guidance is the summary, then each comment with its place and its code; what was sent is not sent again', () => {
  const told = guidanceOf({
    summary: ' Bound it by time. ',
    comments: [
      comment({ path: 'a.ts', side: 'after', from: 3, to: 4, quote: 'x\ny' }),
      comment({ path: 'b.ts', from: 7, quote: 'z', state: 'outdated', text: 'still true' }),
      comment({ text: 'about all of it' }),
      comment({ text: 'old', state: 'sent' }),
    ],
  });
  expect(told).toBe(
    [
      'Bound it by time.',
      'a.ts:3-4\n> x\n> y\nwhy?',
      'b.ts:7 (the lines have changed since)\n> z\nstill true',
      'about all of it',
    ].join('\n\n'),
  );
});

describe('the review of a session', () => {
  it('keeps drafts, moves them with their lines, marks what changed, and never loses what was sent', async () => {
    const dir = tempProject();
    const project = await gitProject(dir);
    const id = await worked(project, 'halted');
    const near = comment({ id: 'near', path: 'a.txt', side: 'after', from: 1, to: 1, quote: '2' });
    const gone = comment({ id: 'gone', path: 'a.txt', side: 'after', from: 1, to: 1, quote: 'two' });
    await project.saveReview(id, { summary: 's', comments: [near, gone], viewed: { 'a.txt': 'x' } });
    expect((await project.review(id)).comments).toEqual([
      { ...near, from: 2, to: 2 },
      { ...gone, state: 'outdated' },
    ]);
    const { text } = await project.reviewGuidance(id);
    expect(text).toContain('a.txt:2\n> 2\nwhy?');
    await project.reviewSent(id);
    await expect(project.reviewGuidance(id)).rejects.toThrow('nothing to send');
    const after = await project.saveReview(id, { summary: '', comments: [], viewed: {} });
    expect(after.comments.map(({ id: own, state, sentAt }) => [own, state, sentAt])).toEqual([
      ['near', 'sent', 2],
      ['gone', 'sent', 2],
    ]);
  });

  it('goes with the session when that is cleaned', async () => {
    const dir = tempProject();
    const project = await gitProject(dir);
    const id = await worked(project, 'halted');
    await project.saveReview(id, { summary: 's', comments: [], viewed: {} });
    const file = join(dir, '.loopwright/reviews', `${id}.json`);
    expect(existsSync(file)).toBe(true);
    await project.clean({ sessions: [id], force: true });
    expect(existsSync(file)).toBe(false);
  });
});
