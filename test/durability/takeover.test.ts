import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isEndedState } from '../../src/process/identity.ts';
import { systemProcesses } from '../../src/process/process-table.ts';
import { outcomeOf, tempFolder } from './lab.mjs';

const OWNER = fileURLToPath(new URL('../../.cache/victims/durability-commanding-owner.mjs', import.meta.url));

describe('a takeover inside a command', () => {
  let folder: string;
  let owners: ChildProcess[];

  beforeEach(() => {
    folder = tempFolder();
    owners = [];
  });

  afterEach(() => {
    for (const owner of owners) owner.kill('SIGKILL');
    for (const pid of startedCommands()) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    rmSync(folder, { recursive: true });
  });

  const own = (how: 'start' | 'take-over') => {
    const owner = spawn(process.execPath, [OWNER, folder, how], { stdio: ['ignore', 'pipe', 'pipe'] });
    owners.push(owner);
    return { owner, end: outcomeOf(owner) };
  };

  const startedCommands = (): number[] => {
    const file = join(folder, 'starts');
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8').split('\n').slice(0, -1).map(Number);
  };

  /** The pids, once so many commands have been started. */
  const commands = (count: number): Promise<number[]> =>
    new Promise((resolve) => {
      const look = () => {
        const pids = startedCommands();
        if (pids.length < count) return;
        watcher.close();
        resolve(pids);
      };
      const watcher = watch(folder, look);
      look();
    });

  it('an owner that was stopped and continued ends its own command, not that of its successor', async () => {
    const stopped = own('start');
    const [oldCommand = 0] = await commands(1);
    stopped.owner.kill('SIGSTOP');
    const successor = own('take-over');
    const [, newCommand = 0] = await commands(2);
    expect([isRunning(oldCommand), isRunning(newCommand)]).toEqual([false, true]);

    stopped.owner.kill('SIGCONT');
    expect(JSON.parse((await stopped.end).text)).toEqual({ error: 'OwnershipLostError' });
    expect(isRunning(newCommand)).toBe(true);
    writeFileSync(join(folder, 'go'), '');
    const { text, errors } = await successor.end;
    expect(errors).toBe('');
    expect(JSON.parse(text)).toEqual({ status: 'completed', signals: ['SIGNAL:SUCCESS'] });
  });
});

function isRunning(pid: number): boolean {
  const row = systemProcesses.row(pid);
  return row !== undefined && !isEndedState(row.state);
}
