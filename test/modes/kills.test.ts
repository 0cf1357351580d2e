import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { killingEnvironment } from '../workspace/killing-git.ts';
import { ModeLab, REQUEST, read, TASK } from './lab.ts';

const VICTIM = fileURLToPath(new URL('../../.cache/victims/modes-local-victim.mjs', import.meta.url));
const BRANCH = `loopwright/task/${TASK}`;

let lab: ModeLab;
beforeEach(() => {
  lab = new ModeLab();
});
afterEach(() => lab.dispose());

/** Prepares, edits and delivers in a process of its own, which is killed at a git command; gives its end. */
async function victim(mode: string, env: NodeJS.ProcessEnv): Promise<{ signal: unknown; code: unknown }> {
  const request = { dir: lab.dir, mode, claim: lab.claim(), request: REQUEST };
  const child = spawn(process.execPath, [VICTIM, JSON.stringify(request)], {
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
}

describe('kills while a task is prepared and delivered', () => {
  it('RUN-08 RUN-10 local-git: every point is gone on from, and the work is committed once', async () => {
    lab.configure({ worktrees: { copy: ['.env'] }, commands: { test: ['node', '-e', '0'] } });
    lab.put('.env', 'SECRET=1\n');
    const environment = killingEnvironment(join(lab.base, 'kill'), lab.dir);
    let points = 0;
    for (let at = 1, done = false; !done; at++) {
      for (const when of ['before', 'after'] as const) {
        const { code, signal } = await victim('local-git', environment({ at, when }));
        expect([code, signal]).toEqual(code === 0 ? [0, null] : [null, 'SIGKILL']);
        done ||= code === 0;
        points++;
        // A git that the killed process had started beside may still be at work; what is broken stays broken.
        await vi.waitFor(() => expect(lab.git('fsck', '--strict', '--no-dangling')).toBe(''), 600_000);
      }
    }
    expect(points).toBeGreaterThan(8);
    const tree = await lab.prepare('local-git');
    expect((await tree.deliver(REQUEST)).review).toBe(true);
    expect(lab.git('rev-list', '--count', `main..${BRANCH}`).trim()).toBe('1');
    expect(tree.payload).toMatchObject([{ content: { checks: [{ name: 'test', color: 'green' }] } }]);
    expect([read(tree.path, 'made.txt'), read(tree.path, '.env')]).toEqual(['made\n', 'SECRET=1\n']);
    expect([lab.git('status', '--porcelain'), lab.git('stash', 'list')]).toEqual(['?? .env\n', '']);
  });

  it('RUN-14 direct: a kill before the beginning was noted begins again, one after it does not', async () => {
    mkdirSync(join(lab.dir, '.loopwright/runs/run-1/before'), { recursive: true });
    writeFileSync(join(lab.dir, '.loopwright/runs/run-1/before.json'), '{"root"');
    const first = await lab.prepare('direct');
    expect(await first.taskTree.changes()).toEqual({ changed: [], added: [], removed: [] });
    expect((await victim('direct', {})).code).toBe(0);
    const again = await lab.prepare('direct');
    expect(await again.taskTree.changes()).toEqual({ changed: [], added: ['made.txt'], removed: [] });
  });
});
