import { beforeAll, describe, expect, it } from 'vitest';
import { everyWorker, everyWrite, operationsOfARun, tally } from './lab.mjs';

describe('kill -9', () => {
  let operations: string[];
  beforeAll(async () => {
    operations = await operationsOfARun();
  });

  const whole = { lost: 0, repeated: 0, notCompleted: 0, outOfOrder: 0 };

  it('SES-05 at every write and between writes: resume loses no finished step and repeats none', async () => {
    const jobs = everyWrite(operations);
    const result = await tally(jobs);
    expect(jobs.length).toBeGreaterThan(200);
    expect(result).toEqual({ ...whole, runs: jobs.length, kills: jobs.length });
  }, 600_000);

  it('inside every worker: the interrupted block runs again, no other', async () => {
    const jobs = everyWorker();
    await expect(tally(jobs)).resolves.toEqual({ ...whole, runs: jobs.length, kills: jobs.length });
  }, 600_000);

  it('again and again: a resume that is killed is resumed', async () => {
    const spread = Array.from({ length: 12 }, (_, i) => 40 + i * 9);
    const jobs = spread.map((op, i) => [
      { op, when: 'half' },
      { op: 3 + i, when: 'before' },
      { op: 6 + 3 * i, when: 'half' },
    ]);
    const result = await tally(jobs);
    expect(result).toMatchObject({ ...whole, runs: jobs.length });
    expect(result.kills).toBeGreaterThan(jobs.length * 2);
  }, 600_000);
});
