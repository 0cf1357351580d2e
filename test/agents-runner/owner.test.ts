import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { ProcessIdentity } from '../../src/kernel/process-identity.ts';
import { identify, isAlive } from '../../src/process/identity.ts';

const OWNER = fileURLToPath(new URL('owner.mjs', import.meta.url));
let owner: ChildProcess | undefined;
afterEach(() => owner?.kill('SIGKILL'));

/** Starts the owner and resolves with the processes that its output names. */
async function own(args: readonly string[], wanted: RegExp): Promise<ProcessIdentity[]> {
  owner = spawn(process.execPath, [OWNER, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of owner.stdout ?? []) {
    text += String(chunk);
    if (wanted.test(text)) break;
  }
  const pids = [...text.matchAll(/(?:child|program) (\d+)/g)].map((match) => Number(match[1]));
  return pids.map((pid) => identify(pid)).filter((identity) => identity !== undefined);
}

/** There is no event for the end of somebody else's process, so it is looked for until the test's time is up. */
async function gone(identity: ProcessIdentity): Promise<void> {
  while (isAlive(identity)) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('the owner of a terminal is killed', () => {
  it('PTY-02 the host ends the program and what it started, also what left the session and ignores SIGTERM', async () => {
    const processes = await own(
      ['interactive', 'leave-child', '--escape', '--stay', '--ignore-term'],
      /(?=[\s\S]*child \d+\n)[\s\S]*program \d+\n/,
    );
    expect(processes).toHaveLength(2);
    expect(processes.map((identity) => isAlive(identity))).toEqual([true, true]);
    owner?.kill('SIGKILL');
    for (const identity of processes) await gone(identity);
  });

  it('PTY-02 also while the program floods and nobody reads', async () => {
    const processes = await own(['interactive', 'flood', '100000'], /program \d+\n/);
    owner?.kill('SIGSTOP');
    expect(processes.map((identity) => isAlive(identity))).toEqual([true]);
    owner?.kill('SIGKILL');
    for (const identity of processes) await gone(identity);
  });
});
