import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SessionGroup } from '../../src/orchestrator/control/session-group.ts';
import { systemProcesses } from '../../src/process/process-table.ts';
import { ROOT } from '../cli/support.ts';
import { PipelineLab, stage } from './lab.ts';

describe('several sessions in one process', () => {
  let lab: PipelineLab;
  beforeEach(() => {
    lab = new PipelineLab();
  });
  afterEach(() => lab.remove());

  it('B-24 run side by side with their own engines; every event names its session; each can be stopped, resumed and removed', async () => {
    const group = new SessionGroup();
    const seen = new Map<string, string[]>();
    const both = new Promise<void>((resolve) => {
      group.events.subscribe((event) => {
        seen.set(event.session, [...(seen.get(event.session) ?? []), event.type]);
        const running = [...seen.values()].filter((types) => types.includes('task.started'));
        if (running.length === 2) resolve();
      });
    });
    const services = lab.services();
    const hang = { stages: [stage({ wait: 'setInterval(() => {}, 1000)' })] };
    const [a, b] = [group.start(hang, services, 'Pipeline'), group.start(hang, services, 'Pipeline')];
    await both;
    expect(group.ids()).toEqual([a, b].sort());
    await group.stop(a);
    expect(lab.sessions.load(a).state.status).toBe('halted');
    expect(lab.sessions.load(b).state.status).toBe('running');
    group.resume(a, services);
    expect(() => group.resume(a, services)).toThrow('runs already');
    await group.stopAll();
    expect(group.ids()).toEqual([]);
    await group.remove(a, lab.sessions);
    expect(lab.sessions.ids()).toEqual([b]);
    expect(() => group.ended(a)).toThrow('does not run here');
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'B-24 on %s all of them are stored, their processes are gone, and the exit code is %i',
    async (signal, code) => {
      const child = spawn(
        process.execPath,
        [join(ROOT, 'test/pipeline/group.mjs'), join(ROOT, 'dist'), lab.dir],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const ended = once(child, 'exit');
      const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
      const ids = line.trim().split(' ').slice(1);
      expect(ids).toHaveLength(2);
      child.kill(signal);
      expect(await ended).toEqual([code, null]);
      const { SessionManager } = await import('../../src/orchestrator/state/session-manager.ts');
      const sessions = SessionManager.onDisk(join(lab.dir, 'sessions'));
      for (const id of ids)
        expect(sessions.load(id).state).toMatchObject({ status: 'halted', halt: { reason: 'interrupted' } });
      const left = systemProcesses
        .rows()
        .filter(({ pid }) => systemProcesses.environment(pid)?.includes(`LOOPWRIGHT_SESSION=${ids[0]}`));
      expect(left).toEqual([]);
    },
  );
});
