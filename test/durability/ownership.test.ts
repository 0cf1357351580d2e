import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outcomeOf, resumeAndJudge, tempFolder, victim } from './lab.mjs';

const WITH_CHANNEL = ['ignore', 'pipe', 'pipe', 'ipc'] as const;

describe('two processes and one session', () => {
  let folder: string;
  let children: ChildProcess[];

  beforeEach(() => {
    folder = tempFolder();
    children = [];
  });

  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  const start = (how: string, point = {}) => {
    const child = victim(folder, how, point, [...WITH_CHANNEL]);
    children.push(child);
    return child;
  };

  const told = async (child: ChildProcess): Promise<unknown> => (await once(child, 'message'))[0];

  it('a living owner is not taken from', async () => {
    const owner = start('start', { wait: 5 });
    await expect(told(owner)).resolves.toBe('waiting');
    const other = start('resume');
    await expect(told(other)).resolves.toEqual({ error: 'SessionBusyError' });
    owner.send('go');
    await expect(told(owner)).resolves.toEqual({ status: 'completed', steps: 30 });
  });

  it('of many that resume a dead session at once exactly one gets it', async () => {
    const dead = start('start', { block: 7, when: 'started' });
    await once(dead, 'exit');
    const rivals = Array.from({ length: 6 }, () => start('resume', { wait: 7 }));
    const answers = await Promise.all(rivals.map(told));
    expect(answers.filter((answer) => answer === 'waiting')).toHaveLength(1);
    expect(answers.filter((answer) => answer !== 'waiting')).toEqual(
      Array.from({ length: 5 }, () => ({ error: 'SessionBusyError' })),
    );
    const winner = rivals[answers.indexOf('waiting')];
    winner?.send('go');
    await expect(winner && told(winner)).resolves.toEqual({ status: 'completed', steps: 30 });
  });

  it('an owner that was stopped, replaced and continued writes nothing that counts', async () => {
    const zombie = start('start', { wait: 12 });
    const zombieEnd = outcomeOf(zombie);
    await told(zombie);
    zombie.kill('SIGSTOP');
    const successor = start('take-over');
    await expect(told(successor)).resolves.toEqual({ status: 'completed', steps: 30 });
    const journal = readFileSync(join(folder, 'sessions', 'faults', 'journal.2.jsonl'), 'utf8');

    zombie.send('go');
    zombie.kill('SIGCONT');
    expect(JSON.parse((await zombieEnd).text)).toMatchObject({ error: 'OwnershipLostError' });
    expect(readFileSync(join(folder, 'sessions', 'faults', 'journal.2.jsonl'), 'utf8')).toBe(journal);
    await expect(resumeAndJudge(folder)).resolves.toEqual({
      completed: true,
      lost: 0,
      repeated: 0,
      inOrder: true,
    });
  });
});
