import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, write } from '../cli/support.ts';
import { git, repository } from '../cli/workspace-support.ts';

/** A task whose agent writes b.txt and then does this to git; played once, later runs only write. */
async function worked(mode: string, spoil: object[], turns: object[] = []) {
  const cwd = repository({ 'a.txt': 'one\n', 'check.mjs': '' });
  const script = join(cwd, '.git', 'script.json');
  const steps = [{ write: { path: 'b.txt', content: 'b\n' } }, ...spoil, { say: 'done' }];
  write(cwd, { '.git/script.json': { turns: [...turns, { steps }] } });
  const env = {
    REPO_MODE: mode,
    LOCAL_REPO_PATH: cwd,
    LLM_EXECUTOR: 'scripted',
    LOOPWRIGHT_SCRIPT: script,
    LOOPWRIGHT_TASK_LOCK_DIR: join(cwd, '.git', 'locks'),
    FAILED_TASK_RETRY_COOLDOWN_MS: '0',
  };
  const place = { cwd, env };
  const show = async () =>
    JSON.parse((await loopwright(['task', 'show', id, '--json'], place)).stdout) as {
      state: string;
      blockReason?: string;
      failureCode?: string;
      attempts: number;
      events: { state: string; reason: string }[];
    };
  const { stdout } = await loopwright(['task', 'add', 't', '--command', 'node check.mjs', '--json'], place);
  const { id } = JSON.parse(stdout) as { id: string };
  return { place, cwd, id, show, work: () => loopwright(['work', '--once'], place) };
}

describe('an agent that does something to the .git of its worktree', () => {
  it.each<[string, object[]]>([
    ['deletes it', [{ delete: '.git' }]],
    ['overwrites it', [{ write: { path: '.git', content: 'garbage' } }]],
    [
      'puts a folder in its place',
      [{ delete: '.git' }, { write: { path: '.git/HEAD', content: 'ref: refs/heads/x\n' } }],
    ],
  ])(
    '%s: the attempt fails with that cause, the next one delivers, the checkout is untouched',
    async (_, spoil) => {
      const task = await worked('local-git', spoil);
      const before = git(task.cwd, 'status', '--porcelain=v2', '--branch', '--', ':!.loopwright');
      const first = await loopwright(['work', '--once'], {
        ...task.place,
        env: { ...task.place.env, FAILED_TASK_RETRY_COOLDOWN_MS: '3600000' },
      });
      expect(first.stdout).toContain('was replaced or deleted while the task was at work');
      expect(await task.show()).toMatchObject({
        state: 'failed',
        failureCode: 'files_not_kept',
        attempts: 1,
      });
      write(task.cwd, { '.git/script.json': { steps: [{ say: 'it is done' }] } });
      await loopwright(['task', 'requeue', task.id], task.place);
      await task.work();
      expect(await task.show()).toMatchObject({ state: 'blocked', blockReason: 'awaiting_judge' });
      const branch = `loopwright/task/${task.id}`;
      expect(git(task.cwd, 'ls-tree', '--name-only', branch)).toContain('b.txt');
      expect(git(task.cwd, 'rev-list', '--count', `main..${branch}`).trim()).toBe('1');
      expect(git(task.cwd, 'status', '--porcelain=v2', '--branch', '--', ':!.loopwright')).toBe(before);
      execFileSync('git', ['fsck', '--strict', '--no-dangling'], { cwd: task.cwd });
    },
  );
});

describe('an agent that changes how git is steered, in direct mode', () => {
  it.each<[string, string, object]>([
    ['config', '.git/config', { write: { path: '.git/config', content: '[core]\n\tbare = false\n' } }],
    ['a hook', '.git/hooks/pre-push', { write: { path: '.git/hooks/pre-push', content: '#!/bin/sh\n' } }],
    ['HEAD', '.git/HEAD', { write: { path: '.git/HEAD', content: 'ref: refs/heads/other\n' } }],
    [
      'a branch',
      '.git/refs/heads/build',
      { write: { path: '.git/refs/heads/build', content: `${'0'.repeat(39)}1\n` } },
    ],
  ])('%s: it is named, and the task is not done', async (_, path, spoil) => {
    const answer = JSON.stringify({ decisions: [{ path, decision: 'allow' }] });
    const task = await worked('direct', [spoil], [{ when: 'violations', steps: [{ say: answer }] }]);
    await task.work();
    const told = await task.show();
    expect(told).toMatchObject({
      state: 'blocked',
      blockReason: 'needs_rework',
      failureCode: 'policy_violation',
    });
    expect(told.events.at(-1)?.reason).toContain(`${path} (it is denied)`);
    // A second attempt that finds it as the first one left it does not hide it.
    write(task.cwd, { '.git/script.json': { steps: [{ write: { path: 'c.txt', content: 'c' } }] } });
    await loopwright(['task', 'requeue', task.id], task.place);
    await task.work();
    expect(await task.show()).toMatchObject({ state: 'blocked', failureCode: 'policy_violation' });
    expect(existsSync(join(task.cwd, path))).toBe(true);
  });

  it('what the user does between two attempts is not the doing of the task', async () => {
    const task = await worked('direct', []);
    write(task.cwd, { 'check.mjs': 'process.exit(1)' });
    git(task.cwd, 'commit', '-qam', 'red');
    await task.work();
    expect((await task.show()).state).toBe('blocked');
    write(task.cwd, { 'check.mjs': '' });
    git(task.cwd, 'commit', '-qam', 'green');
    write(task.cwd, { '.git/script.json': { steps: [{ write: { path: 'c.txt', content: 'c' } }] } });
    await loopwright(['task', 'requeue', task.id], task.place);
    await task.work();
    expect((await task.show()).state).toBe('done');
    expect(readFileSync(join(task.cwd, 'b.txt'), 'utf8')).toBe('b\n');
  });
});

describe('an agent that changes a hook of the repository', () => {
  it('is reported by the story, and approving does not run the hook either', async () => {
    const planted = '#!/bin/sh\ntouch "$(git rev-parse --git-common-dir)/ran"\n';
    const spoil = { write: { path: '../../../.git/hooks/commit-msg', content: planted } };
    const task = await worked('local-git', [spoil]);
    const hook = join(task.cwd, '.git', 'hooks', 'commit-msg');
    mkdirSync(dirname(hook), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\n', { mode: 0o755 });
    await task.work();
    const told = await task.show();
    expect(told).toMatchObject({ state: 'blocked', failureCode: 'halted_tampered' });
    expect(told.events.at(-1)?.reason).toContain('hooks/commit-msg (changed)');
    expect(readFileSync(hook, 'utf8')).toBe(planted);
    // Somebody puts it back in line and leaves the hook as it is.
    write(task.cwd, { '.git/script.json': { steps: [{ say: 'it is done' }] } });
    await loopwright(['task', 'requeue', task.id], task.place);
    expect((await task.work()).stdout).toContain('hooks were not run');
    const story = await loopwright(['show', task.id], task.place);
    expect(story.stdout).toMatch(/hooks were not run: look at these of \.git.*hooks\/commit-msg/);
    const approved = await loopwright(['judge', task.id, 'approve'], task.place);
    expect([approved.code, approved.stdout]).toEqual([0, expect.stringContaining('without hooks')]);
    expect(existsSync(join(task.cwd, '.git', 'ran'))).toBe(false);
    expect(git(task.cwd, 'show', 'main:b.txt')).toBe('b');
  });
});
