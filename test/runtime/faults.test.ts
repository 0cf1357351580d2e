import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loopwright, start, tempFolder, write } from '../cli/support.ts';
import { git, identify } from '../cli/workspace-support.ts';

/** A project in `cwd` whose agent plays a script that lies elsewhere. */
function project(cwd: string, settings: Record<string, string> = {}) {
  const desk = tempFolder();
  const env = {
    LLM_EXECUTOR: 'scripted',
    LOOPWRIGHT_SCRIPT: join(desk, 'script.json'),
    LOOPWRIGHT_TASK_LOCK_DIR: join(desk, 'locks'),
    FAILED_TASK_RETRY_COOLDOWN_MS: '1',
    ...settings,
  };
  const place = { cwd, env };
  return {
    place,
    plays: (script: object) => write(desk, { 'script.json': script }),
    async add(title: string, ...more: string[]) {
      const command = ['--command', 'node -e ""'];
      const { stdout } = await loopwright(['task', 'add', title, '--json', ...command, ...more], place);
      return (JSON.parse(stdout) as { id: string }).id;
    },
    async show(id: string) {
      const { stdout } = await loopwright(['task', 'show', id, '--json'], place);
      return JSON.parse(stdout) as {
        state: string;
        blockReason?: string;
        failureCode?: string;
        attempts: number;
        events: { state: string; reason: string }[];
      };
    },
  };
}

describe('faults while a runtime is at work', () => {
  it('a full disk is told, nothing is lost, and the tasks go on when there is room again', async ({
    skip,
  }) => {
    const disk = tempFolder();
    // Root in a container may not mount either.
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', disk], { stdio: 'ignore' });
    if (mounted.status !== 0) skip('nothing can be mounted here');
    onTestFinished(() => void spawnSync('umount', ['-l', disk]));
    const cwd = join(disk, 'project');
    mkdirSync(cwd);
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd });
    identify(cwd);
    write(cwd, { 'a.txt': 'one\n' });
    git(cwd, 'add', '.');
    git(cwd, 'commit', '-qm', 'start');
    const { place, plays, add, show } = project(cwd, { REPO_MODE: 'local-git', TASK_LEASE_SECONDS: '2' });
    const ballast = join(disk, 'ballast');
    // The agent itself takes all the room there is.
    plays({ steps: [{ write: { path: ballast, content: 'x'.repeat(12 << 20) } }] });
    const ids = [await add('first'), await add('second')];
    const work = start(['work'], place);
    await work.saw('it could not be recorded: ');
    plays({ steps: [{ write: { path: 'b.txt', content: 'b\n' } }, { say: 'ok' }] });
    rmSync(ballast);
    for (const id of ids) await work.saw(`${id.slice(-6)}  blocked (awaiting_judge)`);
    work.child.kill('SIGTERM');
    const { stdout } = await work.ended;
    expect(stdout).toMatch(/could not be recorded: .*loopwright\.db cannot be written/);
    for (const id of ids) {
      expect(await show(id)).toMatchObject({ state: 'blocked', blockReason: 'awaiting_judge' });
      expect(git(cwd, 'show', `loopwright/task/${id}:b.txt`)).toBe('b');
      expect(git(cwd, 'rev-list', '--count', `main..loopwright/task/${id}`)).toBe('1');
    }
    expect(git(cwd, 'fsck', '--strict', '--no-dangling')).toBe('');
  });
});
