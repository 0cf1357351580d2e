import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { identify, isAlive, ownIdentity, processState } from './identity.ts';
import { linuxProcesses, type ProcessTable, portableProcesses } from './process-table.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function start(...argv: [string, ...string[]]): ChildProcess & { pid: number } {
  const [program, ...args] = argv;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  if (child.pid === undefined) throw new Error('not started');
  return Object.assign(child, { pid: child.pid });
}

const tables: [string, ProcessTable][] = [['ps', portableProcesses]];
if (process.platform === 'linux') tables.push(['/proc', linuxProcesses]);

describe.each(tables)('the identity of a process by %s', (_, table) => {
  it('is alive while it runs and gone afterwards', async () => {
    const child = start('sleep', '600');
    const identity = identify(child.pid, table);
    expect(identity).toEqual({ pid: child.pid, startTime: expect.any(String), host: hostname() });
    expect(identity && isAlive(identity, table)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(identity && isAlive(identity, table)).toBe(false);
    expect(identify(child.pid, table)).toBeUndefined();
  });

  it('is not that of a later process with the same pid', () => {
    const own = identify(process.pid, table);
    expect(own && isAlive(own, table)).toBe(true);
    expect(own && isAlive({ ...own, startTime: 'earlier' }, table)).toBe(false);
  });

  it('of a zombie is gone', async () => {
    const parent = start('sh', '-c', 'sleep 600 & echo $!; exec tail -f /dev/null');
    const [line] = await once(parent.stdout ?? parent, 'data');
    const pid = Number(String(line));
    // Once tail has replaced the shell, nobody collects the shell's child.
    await expect
      .poll(() => execFileSync('ps', ['-o', 'args=', '-p', `${parent.pid}`], { encoding: 'utf8' }))
      .toMatch(/^tail/);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => table.row(pid)?.state).toBe('Z');
    const identity = identify(pid, table);
    expect(identity && isAlive(identity, table)).toBe(false);
  });

  it('is the one that an earlier version noted, without its container', () => {
    const own = identify(process.pid, table);
    const noted = own?.startTime.replace(/:[^:/]*\/\d*$/, '') ?? '';
    expect(own && processState({ ...own, startTime: noted }, table)).toBe('alive');
  });

  it('survives a program name with blanks and parentheses', async () => {
    const child = start('bash', '-c', 'exec -a ") (x) 1 2" sleep 600');
    expect(identify(child.pid, table)?.startTime).toBe(identify(child.pid, table)?.startTime);
    expect(table.row(child.pid)?.group).toBe(table.row(process.pid)?.group);
  });

  it('on another host cannot be judged, and counts as alive', () => {
    const elsewhere = { pid: 1, startTime: 'x', host: 'another-host' };
    expect(processState(elsewhere, table)).toBe('unknown');
    expect(isAlive(elsewhere, table)).toBe(true);
  });
});

describe('our own identity', () => {
  it('is alive', () => {
    expect(ownIdentity().pid).toBe(process.pid);
    expect(isAlive(ownIdentity())).toBe(true);
  });
});

describe.runIf(process.platform === 'linux')('a process of the same host name', () => {
  const own = ownIdentity();
  const [, boot = '', ticks = '', machine = '', namespace = ''] =
    /^([^:]+):(\d+):([^/]*)\/(.*)$/.exec(own.startTime) ?? [];
  const state = (startTime: string) => processState({ ...own, startTime });

  it('in another container is unknown, whatever has its pid here', () => {
    expect(state(`${boot}:${ticks}:${machine}/${namespace}`)).toBe('alive');
    expect(state(`${boot}:${ticks}:${machine}/1${namespace}`)).toBe('unknown');
  });

  it('is gone when this very machine was started again, and unknown on another machine', () => {
    expect(state(`other-boot:${ticks}:another/${namespace}`)).toBe('unknown');
    expect(state(`other-boot:${ticks}:/${namespace}`)).toBe('unknown');
    if (machine !== '') expect(state(`other-boot:${ticks}:${machine}/${namespace}`)).toBe('gone');
  });
});
