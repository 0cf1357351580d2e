import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fakeAgent, WatchedRun } from '../../src/agents/runner/testing.ts';

/** The terminals that a process holds open besides its own. */
function terminals(pid: number): string[] {
  const own = target(pid, '0');
  return readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
    const file = target(pid, name);
    return file?.startsWith('/dev/pt') && file !== own ? [file] : [];
  });
}

/** Undefined for what was only open while the list was read. */
function target(pid: number, name: string): string | undefined {
  const path = `/proc/${pid}/fd/${name}`;
  return lstatSync(path, { throwIfNoEntry: false }) && readlinkSync(path);
}

describe('agents beside each other', () => {
  it('PTY-01 none holds or reaches another\u2019s terminal, with or without one of its own', async () => {
    const runs = (['pty', 'pty', 'headless', 'pty'] as const).map(
      (kind, i) => new WatchedRun(kind, fakeAgent('reach', [`word-of-${i}`])),
    );
    // One after the other: each could inherit what those before it opened.
    const pids: number[] = [];
    for (const run of runs) {
      pids.push((await run.runner.start()).pid);
      await run.says(/held .*\n/);
    }
    for (const run of runs) expect(run.clean).toContain('held []');
    for (const pid of pids) expect(terminals(pid)).toEqual([]);
    expect(terminals(process.pid)).toEqual([]);
    const own = pids.map((pid) => target(pid, '0'));
    expect(new Set(own).size).toBe(runs.length);
    await Promise.all(runs.map((run) => run.runner.stop()));
    for (const [i, run] of runs.entries()) {
      for (const other of runs.keys()) {
        if (other !== i) expect(run.raw).not.toContain(`word-of-${other}`);
      }
    }
  });
});
