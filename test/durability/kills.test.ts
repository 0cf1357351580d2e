import { beforeAll, describe, expect, it } from 'vitest';
import { everyWorker, everyWrite, operationsOfARun, tally, tallyImages } from './lab.mjs';

describe('kill -9', () => {
  let operations: string[];
  beforeAll(async () => {
    operations = await operationsOfARun();
  });

  const whole = { lost: 0, repeated: 0, notCompleted: 0, outOfOrder: 0 };

  it('SES-05 at every write and between writes: resume loses no finished step and repeats none', async () => {
    const points = everyWrite(operations).length;
    expect(points).toBeGreaterThan(200);
    expect(await tallyImages()).toEqual({ ...whole, runs: points, kills: points });
  });

  // `npm run faults` kills at all of them; what a kill leaves is resumed at all of them above.
  it('SES-05 of a real process, at points all over the run', async () => {
    const jobs = [
      ...everyWrite(operations).filter((_, i) => i % 12 === 0),
      ...everyWorker().filter((_, i) => i % 5 === 0),
    ];
    const result = await tally(jobs);
    expect(jobs.length).toBeGreaterThan(25);
    expect(result).toEqual({ ...whole, runs: jobs.length, kills: jobs.length });
  });

  it('again and again: a resume that is killed is resumed', async () => {
    const spread = Array.from({ length: 4 }, (_, i) => 40 + i * 27);
    const jobs = spread.map((op, i) => [
      { op, when: 'half' },
      { op: 3 + 3 * i, when: 'before' },
      { op: 6 + 9 * i, when: 'half' },
    ]);
    const result = await tally(jobs);
    expect(result).toMatchObject({ ...whole, runs: jobs.length });
    expect(result.kills).toBeGreaterThan(jobs.length * 2);
  });
});
