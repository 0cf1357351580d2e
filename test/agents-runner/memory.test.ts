import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRunner } from '../../src/agents/runner/pty.ts';
import { fakeAgent, WatchedRun } from '../../src/agents/runner/testing.ts';
import { createMasker } from '../../src/kernel/mask.ts';

describe('memory', () => {
  it('is bounded: reading waits for whoever listens, and nothing is kept but the tail', async () => {
    const MIB = 1024 * 1024;
    let bytes = 0;
    let highest = 0;
    const before = process.memoryUsage.rss();
    const runner = createRunner('headless', {
      adapter: fakeAgent('flood', ['300']),
      cwd: '/',
      env: { PATH: process.env['PATH'] },
      masker: createMasker(['a-secret-that-is-not-there']),
    });
    runner.events.subscribe((event) => {
      if (event.type !== 'data') return;
      bytes += event.raw.length;
      highest = Math.max(highest, process.memoryUsage.rss());
    });
    await runner.start();
    await runner.ended;
    expect(bytes).toBe(300 * MIB);
    expect(runner.tail().length).toBeLessThanOrEqual(64 * 1024);
    // All of it would be 300 MiB; how much of it waits to be collected depends on the machine.
    expect((highest - before) / MIB).toBeLessThan(250);
  });

  it.each(['headless', 'pty'] as const)('a program waits while we are busy (%s)', async (kind) => {
    const run = new WatchedRun(kind, fakeAgent('flood', ['8']));
    const { pid } = await run.runner.start();
    const written = () => Number(/wchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
    await run.says('line');
    const before = written();
    const until = performance.now() + 300;
    while (performance.now() < until);
    expect(written() - before).toBeLessThan(4 * 1024 * 1024);
    await run.runner.ended;
    expect(run.clean).toHaveLength(8 * 1024 * 1024);
  });
});
