import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { StorageError } from '../../src/kernel/errors.ts';
import { work } from '../../src/tasks/work.ts';
import { overruled, programFlow, RuntimeLab } from './lab.ts';

const never = new AbortController().signal;

describe('work', () => {
  it('a runtime is shown as idle, busy with its task, stopping, and is gone at the end', async () => {
    const lab = new RuntimeLab();
    try {
      const id = await lab.add();
      const stop = new AbortController();
      const shown: unknown[] = [];
      const look = async () => {
        const [own, ...others] = await lab.store.runtimes.list();
        shown.push([own?.name, own?.state, own?.tasks, others.length]);
      };
      let idled = 0;
      const scheduler = overruled(lab.scheduler, {
        changed: async () => {
          await look();
          if (++idled === 1) return lab.scheduler.requeue(id, { reason: 'again' });
          stop.abort();
          await vi.waitUntil(async () => (await lab.store.runtimes.list())[0]?.state === 'stopping');
        },
      });
      const prepare = async () => {
        await look();
        return lab.prepared();
      };
      const runtime = lab.runtime(programFlow(''), { scheduler, prepare });
      await lab.scheduler.cancel(id, 'not yet');
      await work(runtime, { role: 'worker', concurrency: 1, once: false, stop: stop.signal });
      expect(shown).toEqual([
        ['lab', 'idle', [], 0],
        ['lab', 'busy', [id], 0],
        ['lab', 'idle', [], 0],
      ]);
      expect(await lab.store.runtimes.list()).toEqual([]);
    } finally {
      lab.close();
    }
  });

  it('with every place taken it waits for a place, even when something else is due', async () => {
    const lab = new RuntimeLab();
    try {
      await lab.add();
      await lab.add({ title: 'due, but there is no place' });
      let asked = 0;
      const scheduler = overruled(lab.scheduler, {
        nextWake: () => {
          asked++;
          return Promise.resolve(1);
        },
      });
      const code = 'setTimeout(() => {}, 100)';
      const at = { role: 'worker', concurrency: 1, once: true, stop: never } as const;
      const ended = await work(lab.runtime(programFlow(code), { scheduler }), at);
      expect([...ended]).toEqual([['done', 2]]);
      expect(asked).toBe(0);
    } finally {
      lab.close();
    }
  });

  it('a database that is locked for a while ends nothing: claims and outcomes are tried again', async () => {
    const lab = new RuntimeLab();
    try {
      const id = await lab.add();
      const locked = new Set(['claim', 'release']);
      const once = (name: string): void => {
        if (locked.delete(name)) throw new StorageError('it is locked by another process for too long');
      };
      const scheduler = overruled(lab.scheduler, {
        claim: async (request) => (once('claim'), lab.scheduler.claim(request)),
        release: async (claim, release) => (once('release'), lab.scheduler.release(claim, release)),
      });
      const at = { role: 'worker', concurrency: 1, once: true, stop: never } as const;
      const ended = await work(lab.runtime(programFlow(''), { scheduler }), at);
      expect([...ended]).toEqual([['done', 1]]);
      expect((await lab.backlog.get(id))?.state).toBe('done');
    } finally {
      lab.close();
    }
  });

  it('a task whose outcome cannot be recorded does not end the others', async () => {
    const lab = new RuntimeLab();
    try {
      const id = await lab.add({ mode: 'local-git', allowedPaths: ['a/**'] });
      await lab.add({ title: 'the next', mode: 'local-git', allowedPaths: ['b/**'] });
      const scheduler = overruled(lab.scheduler, {
        release: (claim, release) =>
          claim.task.id === id
            ? Promise.reject(new Error('disk gone'))
            : lab.scheduler.release(claim, release),
      });
      const at = { role: 'worker', concurrency: 1, once: true, stop: never } as const;
      const ended = await work(lab.runtime(programFlow(''), { scheduler }), at);
      expect([...ended]).toEqual([['done', 1]]);
      expect(lab.events).toContainEqual(
        expect.objectContaining({ task: id, reason: expect.stringContaining('disk gone') as string }),
      );
    } finally {
      lab.close();
    }
  });

  it('works off what is there, several at once, and ends when told to do so once', async () => {
    const lab = new RuntimeLab();
    try {
      for (let n = 0; n < 5; n++) await lab.add({ title: `task ${n}` });
      const ended = await work(lab.runtime(programFlow('')), {
        role: 'worker',
        concurrency: 2,
        once: true,
        stop: never,
      });
      expect([...ended]).toEqual([['done', 5]]);
      expect(existsSync(join(lab.dir, 'locks'))).toBe(true);
    } finally {
      lab.close();
    }
  });
});
