import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRepository } from '../../src/workspace/git/repository.ts';
import { TestRepo } from '../../src/workspace/git/testing.ts';
import { GitWorktreeManager } from '../../src/workspace/worktrees/manager.ts';
import { userSide } from '../../src/workspace/worktrees/testing.ts';

const VICTIM = fileURLToPath(new URL('../../.cache/victims/worktrees-victim.mjs', import.meta.url));

let repo: TestRepo;
beforeEach(prepare);
afterEach(() => repo.dispose());

async function prepare(): Promise<void> {
  repo = new TestRepo();
  for (let i = 0; i < 50; i++) repo.put(`src/f${i}.txt`, `content ${i}\n`);
  repo.commit('first');
  await new GitWorktreeManager(await openRepository(repo.dir)).create({ id: 'ended' });
  repo.put('src/f1.txt', 'changed by the user\n');
  repo.put('new by the user.txt', 'new\n');
}

interface Ended {
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** In a process group of its own, so that one can be killed with everything it started. */
function victim(operation: string, point = '', onStart?: (pid: number | undefined) => void): Promise<Ended> {
  const child = spawn(process.execPath, [VICTIM, repo.dir, operation, point], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onStart?.(child.pid);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data) => (stdout += String(data)));
  child.stderr.on('data', (data) => (stderr += String(data)));
  return new Promise((resolve) => child.on('close', (_, signal) => resolve({ signal, stdout, stderr })));
}

/** After any kill: git is sound, the user's files are as they were, and the next run does its work. */
async function nextRunGoesOn(before: Map<string, string>): Promise<void> {
  repo.git('fsck', '--strict', '--no-dangling');
  const worktrees = new GitWorktreeManager(await openRepository(repo.dir));
  await worktrees.reconcile([
    { id: 'ended', resumable: true },
    { id: 'new', resumable: true },
  ]);
  expect(readdirSync(join(repo.dir, '.git')).filter((name) => name.startsWith('loopwright.'))).toEqual([]);
  expect(readdirSync(join(repo.dir, '.git/loopwright'))).toEqual(['worktrees']);
  if ((await worktrees.find('new')) === undefined) await worktrees.create({ id: 'new', includeDirty: true });
  if ((await worktrees.find('ended')) === undefined) await worktrees.create({ id: 'ended', branch: 'again' });
  else await worktrees.restore('ended');
  const list = await worktrees.list();
  expect(list.map(({ id }) => id).sort()).toEqual(['ended', 'new']);
  for (const { path } of list) expect(readFileSync(join(path, 'src/f49.txt'), 'utf8')).toBe('content 49\n');
  for (const id of ['new', 'ended']) {
    expect(await worktrees.remove(id, { force: true, deleteBranch: true })).toMatchObject({ removed: true });
  }
  expect(existsSync(join(repo.dir, '.git/worktrees'))).toBe(false);
  repo.git('fsck', '--strict', '--no-dangling');
  expect(userSide(repo.dir)).toEqual(before);
}

describe('kill -9 between any two changes', () => {
  it.each([
    ['create', ['recording', 'adding', 'finishing']],
    ['dirty', ['recording', 'adding', 'copying-changes', 'finishing']],
    ['remove', ['deciding-removal', 'removing-folder', 'removing-branch', 'forgetting']],
    ['gc', ['deciding-removal', 'removing-folder', 'removing-branch', 'forgetting']],
  ])('B-01 %s: the repository is sound and the next run goes on', async (operation, points) => {
    const undisturbed = await victim(operation);
    expect(undisturbed.stderr).toBe('');
    expect(JSON.parse(undisturbed.stdout)).toEqual(points);
    for (const point of points) {
      repo.dispose();
      await prepare();
      const before = userSide(repo.dir);
      expect((await victim(operation, point)).signal, point).toBe('SIGKILL');
      await nextRunGoesOn(before);
    }
  });

  it.each(['recording', 'adding', 'finishing'])('B-01 restore, killed before %s: the same', async (point) => {
    rmSync(join(repo.dir, '.loopwright/worktrees/ended'), { recursive: true });
    const before = userSide(repo.dir);
    expect((await victim('restore', point)).signal).toBe('SIGKILL');
    await nextRunGoesOn(before);
  });

  it.each(['create', 'dirty', 'restore'])(
    'B-01 %s: git and all that it started are killed in the middle of the checkout',
    async (operation) => {
      repo.put('.gitattributes', 'src/f25.txt filter=deadly\n');
      repo.commit('with a filter');
      const worktrees = new GitWorktreeManager(await openRepository(repo.dir));
      await worktrees.remove('ended', { deleteBranch: true });
      const { path } = await worktrees.create({ id: 'ended' });
      if (operation === 'restore') rmSync(path, { recursive: true });
      // The filter runs inside git, inside the victim's process group, while half of the files are written.
      repo.git('config', 'filter.deadly.smudge', 'kill -9 0');
      const done = await victim(operation);
      expect(done.signal).toBe('SIGKILL');
      const id = operation === 'restore' ? 'ended' : 'new';
      expect(existsSync(join(repo.dir, '.git/worktrees', id))).toBe(true);
      expect(existsSync(join(worktrees.root, id, 'src/f49.txt'))).toBe(false);
      repo.git('config', '--remove-section', 'filter.deadly');
      await nextRunGoesOn(userSide(repo.dir));
    },
  );

  it('B-01 create: its process is killed while git keeps running alone; the next one waits for that git', async () => {
    repo.put('.gitattributes', 'src/f25.txt filter=deadly\n');
    repo.commit('with a filter');
    const [pid, go] = [join(repo.base, 'pid'), join(repo.base, 'go')];
    execFileSync('mkfifo', [go]);
    repo.git('config', 'filter.deadly.smudge', `kill -9 $(cat '${pid}'); cat '${go}' >/dev/null; cat`);
    const done = await victim('create', '', (started) => writeFileSync(pid, String(started)));
    expect(done.signal).toBe('SIGKILL');
    repo.git('config', '--remove-section', 'filter.deadly');
    const before = userSide(repo.dir);
    const worktrees = new GitWorktreeManager(await openRepository(repo.dir));
    const next = worktrees.create({ id: 'next' });
    // Git waits in its filter for this pipe, so until here it cannot have gone on.
    writeFileSync(go, '');
    await next;
    expect(await worktrees.remove('next', { deleteBranch: true })).toMatchObject({ removed: true });
    await nextRunGoesOn(before);
  });

  it('B-01 two processes that add at the same moment, many times, both succeed', async () => {
    const worktrees = new GitWorktreeManager(await openRepository(repo.dir));
    for (let round = 0; round < 3; round++) {
      const mine = Promise.all(['a', 'b', 'c'].map((id) => worktrees.create({ id })));
      const [theirs] = await Promise.all([victim('create'), mine]);
      expect(theirs.stderr).toBe('');
      expect(await worktrees.list()).toHaveLength(5);
      for (const id of ['a', 'b', 'c', 'new']) await worktrees.remove(id, { deleteBranch: true });
    }
  });
});
