import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { ProcessIdentity } from '../kernel/process-identity.ts';
import { childEnvironment, type StepMarker } from './child-env.ts';
import { endProcessTree } from './end-tree.ts';
import { identify, isAlive } from './identity.ts';
import { begunAfter, portableProcesses, systemProcesses } from './process-table.ts';

const fake = (name: string) => fileURLToPath(new URL(`../../test/fake-agents/${name}.mjs`, import.meta.url));
const onLinux = { skip: process.platform !== 'linux' };

let sessions = 0;
const newSession = () => `end-tree-${process.pid}-${++sessions}`;
const leftovers: ProcessIdentity[] = [];
afterEach(() => {
  for (const identity of leftovers.splice(0)) if (isAlive(identity)) process.kill(identity.pid, 'SIGKILL');
});

/** Starts a leader of its own group that leaves a child; both are known by then. */
async function startTree(marker: StepMarker | undefined, ...options: string[]) {
  const whole = marker && { epoch: 1, step: 1, ...marker };
  const env = childEnvironment({ PATH: process.env['PATH'] }, process.cwd(), whole);
  const leader = spawn(process.execPath, [fake('leave-child'), ...options], {
    detached: true,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(leader, 'exit');
  const root = known(leader.pid);
  const [line] = await once(leader.stdout ?? leader, 'data');
  const child = known(Number(/child (\d+)/.exec(String(line))?.[1]));
  return { root, child, exited, leader };
}

function known(pid: number | undefined): ProcessIdentity {
  const identity = pid === undefined ? undefined : identify(pid);
  if (!identity) throw new Error('not started');
  leftovers.push(identity);
  return identity;
}

const alive = (...identities: ProcessIdentity[]) => identities.map((identity) => isAlive(identity));
const gone = (process: ChildProcess) => process.exitCode !== null || process.signalCode !== null;

describe('ending a process tree', () => {
  it('ends the whole group, and tells whom', async () => {
    const { root, child } = await startTree(undefined, '--stay');
    const result = await endProcessTree(root, undefined);
    expect(alive(root, child)).toEqual([false, false]);
    expect(new Set(result.ended)).toEqual(new Set([root.pid, child.pid]));
    expect(result.survivors).toEqual([]);
  });

  it('kills what ignores SIGTERM after the grace', async () => {
    const { root, child } = await startTree(undefined, '--stay', '--ignore-term');
    await endProcessTree(root, undefined, { graceMs: 200 });
    expect(alive(root, child)).toEqual([false, false]);
  });

  it('finds a child that left its group by the marker', onLinux, async () => {
    const marker = { session: newSession(), step: 3 };
    const { root, child } = await startTree(marker, '--stay', '--escape');
    expect((await endProcessTree(root, marker)).ended).toContain(child.pid);
    expect(alive(root, child)).toEqual([false, false]);
  });

  it('waits for one whose environment cannot be read any more, as while it is ending', onLinux, async () => {
    const marker = { session: newSession() };
    const { root, child } = await startTree(marker, '--stay', '--escape', '--ignore-term');
    const read = new Set<number>();
    const environment = (pid: number) => {
      const first = !read.has(pid);
      read.add(pid);
      return first ? systemProcesses.environment(pid) : '';
    };
    await endProcessTree(root, marker, {
      graceMs: 200,
      table: { ...systemProcesses, environment },
    });
    expect(alive(root, child)).toEqual([false, false]);
  });

  it('finds it although its parent is gone already', onLinux, async () => {
    const marker = { session: newSession() };
    const { root, child, exited } = await startTree(marker, '--escape');
    await exited;
    expect((await endProcessTree(root, marker)).ended).toEqual([child.pid]);
    expect(alive(child)).toEqual([false]);
  });

  it('ends nothing of another session, another owner or another step', onLinux, async () => {
    const session = newSession();
    const { root, child } = await startTree({ session, epoch: 2, step: 12 }, '--stay', '--escape');
    const nobody = { pid: 0, startTime: '' };
    for (const marker of [
      { session: `${session}1` },
      { session, step: 1 },
      { session, epoch: 1, step: 12 },
      { session, epoch: 21 },
      { session: session.slice(0, -1) },
    ]) {
      expect(await endProcessTree(nobody, marker)).toEqual({ ended: [], survivors: [] });
    }
    expect(alive(root, child)).toEqual([true, true]);
    await endProcessTree(nobody, { session });
    expect(alive(root, child)).toEqual([false, false]);
  });

  it('spares a process that only has the same pid', async () => {
    const { root, leader } = await startTree(undefined, '--stay');
    await endProcessTree({ pid: root.pid, startTime: 'of an earlier process' }, undefined);
    expect(gone(leader)).toBe(false);
    await endProcessTree(root, undefined);
  });

  it('looks at every process again where numbers may have started from below since', onLinux, async () => {
    const marker = { session: newSession() };
    const { root, child, exited } = await startTree(marker, '--escape');
    await exited;
    const higher = { pid: child.pid + 1, startTime: root.startTime };
    const dayMs = 24 * 60 * 60 * 1000;
    expect((await endProcessTree(higher, marker, { ended: true, ageMs: dayMs })).ended).toEqual([child.pid]);
  });

  it('asks only those who got a higher number since, or nobody', onLinux, () => {
    const { pid } = process;
    expect(begunAfter(pid, Number.POSITIVE_INFINITY)).toBe('anybody');
    expect(begunAfter(2 ** 30, 0)).toBe('anybody');
    expect(systemProcesses.rows(pid).filter((row) => row.pid <= pid)).toEqual([]);
    expect(systemProcesses.rows(pid - 1).map((row) => row.pid)).toContain(pid);
  });

  it('ends the group also where only ps is there', async () => {
    const { leader, child } = await startTree(undefined, '--stay');
    const root = identify(leader.pid ?? 0, portableProcesses);
    expect(
      root && (await endProcessTree(root, { session: 'x' }, { table: portableProcesses })).survivors,
    ).toEqual([]);
    expect(alive(child)).toEqual([false]);
  });
});
