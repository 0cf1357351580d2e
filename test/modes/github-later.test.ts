import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ManifestBody } from '../../src/manifest/definition.ts';
import { prepareFor } from '../../src/tasks/prepare/prepare-for.ts';
import { runTask } from '../../src/tasks/run-task.ts';
import { loopwright, start } from '../cli/support.ts';
import { RuntimeLab } from '../runtime/lab.ts';
import { rowsOf } from '../tasks/rows.ts';
import { userSettings } from '../user-folder.ts';
import { GitHubServer } from './github-server.ts';
import { ModeLab } from './lab.ts';

const never = new AbortController().signal;

let lab: ModeLab;
let hub: GitHubServer;
let bare: string;
beforeEach(async () => {
  lab = new ModeLab();
  bare = join(lab.base, 'acme', 'widget.git');
  mkdirSync(join(lab.base, 'acme'));
  lab.git('clone', '-q', '--bare', lab.dir, bare);
  hub = await GitHubServer.start(bare);
  const hook = join(bare, 'hooks', 'post-receive');
  mkdirSync(join(bare, 'hooks'), { recursive: true });
  writeFileSync(hook, `#!/bin/sh\necho pushed >> "${join(lab.base, 'pushes')}"\n`);
  chmodSync(hook, 0o755);
  const steps = [{ write: { path: 'b.txt', content: 'b\n' } }, { say: 'done' }];
  writeFileSync(join(lab.base, 'script.json'), JSON.stringify({ steps }));
});
afterEach(async () => {
  await hub.close();
  lab.dispose();
});

/** The project, told to work with the remote and the server of this test. */
const githubPlace = () => ({
  cwd: lab.dir,
  env: {
    REPO_MODE: 'github',
    REPO_URL: bare,
    GITHUB_API_URL: hub.url,
    GITHUB_TOKEN: 'secret-token',
    ...userSettings(join(lab.base, '.config'), { tokenHosts: [hub.url] }),
    LLM_EXECUTOR: 'scripted',
    LOOPWRIGHT_SCRIPT: join(lab.base, 'script.json'),
    LOOPWRIGHT_TASK_LOCK_DIR: join(lab.base, 'locks'),
  },
});
const pushes = () => readFileSync(join(lab.base, 'pushes'), 'utf8').trim().split('\n').length;
const agentRuns = (text: string) => text.match(/Work__Implement SUCCESS/g)?.length;

describe('a delivery that has to wait', () => {
  it.each([
    ['403', { 'x-ratelimit-remaining': '0' }],
    ['429', { 'retry-after': '1' }],
  ])(
    'ST-04 rate limit (%s): the task waits for the reset and continues by itself, with one push and one pull request',
    async (status, headers) => {
      const reset = String(Math.floor(Date.now() / 1000) + 2);
      hub.fail({
        method: 'POST',
        status: Number(status),
        message: 'API rate limit exceeded',
        headers: status === '403' ? { ...headers, 'x-ratelimit-reset': reset } : headers,
      });
      const place = githubPlace();
      await loopwright(['task', 'add', 'b', '--command', 'node -e ""'], place);
      const work = start(['work'], place);
      await work.saw('blocked (quota_wait)');
      // The least wait is half a minute, whatever the hint says: its time has come.
      rowsOf(join(place.cwd, '.loopwright'), 'update task set wake_at = 1');
      await work.saw('blocked (awaiting_judge)');
      work.child.kill('SIGTERM');
      const { stdout } = await work.ended;
      expect(stdout).toContain("GitHub's rate limit is used up");
      expect([pushes(), hub.pulls.length, hub.count('POST'), agentRuns(stdout)]).toEqual([1, 1, 2, 1]);
    },
  );

  it('an API that stays down is tried a few times, then the task has failed with that reason; nothing is delivered twice', async () => {
    lab.settings = { url: bare, api: hub.url };
    lab.env = { GITHUB_TOKEN: 'secret-token' };
    userSettings(join(lab.base, '.config'), { tokenHosts: [hub.url] });
    hub.fail({ status: 503, times: 1000 });
    const room = new RuntimeLab();
    try {
      const flow = JSON.parse(readFileSync('workflows/code-task.json', 'utf8')) as ManifestBody;
      const coder = {
        ...flow.workers?.['Coder'],
        extraArgs: ['--script', join(lab.base, 'script.json')],
      };
      const prepare = prepareFor('github', lab.options());
      const runtime = room.runtime({ ...flow, workers: { ...flow.workers, Coder: coder } }, { prepare });
      const id = await room.add({ title: 'b', commands: ['node -e ""'] });
      const states: string[] = [];
      for (let n = 0; n < 4; n++) {
        const release = await runTask(runtime, await room.claim(), never);
        states.push(release?.state === 'blocked' ? release.block : (release?.state ?? ''));
        // Its time has come.
        room.rows('update task set wake_at = 1');
      }
      expect(states).toEqual(['quota_wait', 'quota_wait', 'quota_wait', 'failed']);
      expect(await room.backlog.get(id)).toMatchObject({ state: 'failed', failureCode: 'delivery_failed' });
      const reason = (await room.backlog.history(id)).events.at(-1)?.reason;
      expect(reason).toMatch(/GitHub cannot be reached .*\(tried 4 times\)/);
      expect([pushes(), hub.pulls.length]).toEqual([1, 0]);
    } finally {
      room.close();
    }
  });
});

it('clean shows the clone and, once the work is on its branch, frees the checkpoints in it', async () => {
  const place = githubPlace();
  const said = async (...args: string[]) => JSON.parse((await loopwright([...args, '--json'], place)).stdout);
  await loopwright(['task', 'add', 'b', '--command', 'node -e ""'], place);
  await loopwright(['work', '--once'], place);
  const { tasks } = (await said('task', 'list')) as { tasks: { id: string }[] };
  const [task] = tasks;
  const home = join(lab.dir, '.loopwright', 'repositories');
  const [clone = ''] = readdirSync(home);
  const checkpoints = () =>
    lab.gitIn(join(home, clone), 'for-each-ref', '--format=%(refname)', 'refs/loopwright/').trim();
  expect(checkpoints()).not.toBe('');
  await loopwright(['judge', task?.id ?? '', 'approve'], place);
  const { disk } = (await said('clean', '--dry-run')) as { disk: { what: string; count: number }[] };
  expect(disk.find(({ what }) => what === 'clones')).toMatchObject({ count: 1 });
  await loopwright(['clean', '--yes'], place);
  expect(checkpoints()).toBe('');
});
