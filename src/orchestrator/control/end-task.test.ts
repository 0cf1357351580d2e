import { describe, expect, it } from 'vitest';
import { Emitter } from '../../kernel/events.ts';
import type { LiveTask, TaskStatus } from '../../manifest/task.ts';
import type { EngineEvent } from '../events.ts';
import { endTask } from './end-task.ts';

function running(complete: () => Promise<void> = () => Promise.resolve()) {
  const events = new Emitter<EngineEvent>();
  const task = { id: 't', complete, stop: complete } as unknown as LiveTask;
  const status = (now: TaskStatus, of = 't') =>
    events.emit({
      session: 's',
      step: 1,
      block: 'b',
      type: 'task.status',
      task: of,
      status: now,
      exit: {},
    });
  return { events, task, status };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('completing a task', () => {
  it('resolves when the task is done, not when its process has gone', async () => {
    const { events, task, status } = running();
    const seen: string[] = [];
    const ended = endTask(events, task, 'complete').finally(() => seen.push('done'));
    await settled();
    status('DONE', 'another');
    status('RUNNING');
    await settled();
    expect(seen).toEqual([]);
    status('DONE');
    await ended;
    expect(events.watched).toBe(false);
  });

  it('is refused when the task was cut off first, and when it cannot be completed', async () => {
    const cut = running();
    const ended = endTask(cut.events, cut.task, 'complete');
    cut.status('PENDING');
    await expect(ended).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('cut off before it was done'),
    });
    const headless = running(() => Promise.reject(new Error('it is headless')));
    await expect(endTask(headless.events, headless.task, 'complete')).rejects.toThrow('it is headless');
    expect(headless.events.watched).toBe(false);
  });

  it('does not wait for a status that can no longer come', async () => {
    const { events, task } = running();
    const ended = endTask(events, task, 'stop');
    events.emit({ session: 's', type: 'session.aborted', reason: 'enough' });
    await expect(ended).resolves.toBeUndefined();
  });
});
