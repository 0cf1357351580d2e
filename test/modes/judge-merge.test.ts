import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loopwright, tempFolder, write } from '../cli/support.ts';
import { commitAll, git, repository } from '../cli/workspace-support.ts';
import { userSettings } from '../user-folder.ts';
import { GitHubServer } from './github-server.ts';

/** Red as soon as both files are there. */
const CHECK =
  "import { existsSync } from 'node:fs';\nif (existsSync('b.txt') && existsSync('no-b')) { console.log('b is not wanted'); process.exit(1); }\n";

/** A task of a project with a remote on loopback that has opened its pull request. */
async function delivered(steps: object[] = [{ write: { path: 'b.txt', content: 'b\n' } }], files = {}) {
  const cwd = repository({ 'check.mjs': CHECK, ...files });
  const base = tempFolder();
  const bare = join(base, 'acme', 'widget.git');
  mkdirSync(join(base, 'acme'));
  git(base, 'clone', '-q', '--bare', cwd, bare);
  git(cwd, 'remote', 'add', 'origin', bare);
  const hub = await GitHubServer.start(bare);
  onTestFinished(() => hub.close());
  write(base, { 'script.json': { steps } });
  const env = {
    ...userSettings(join(base, '.config'), { tokenHosts: [hub.url] }),
    REPO_MODE: 'github',
    REPO_URL: bare,
    GITHUB_TOKEN: 'secret-token',
    GITHUB_API_URL: hub.url,
    LLM_EXECUTOR: 'scripted',
    LOOPWRIGHT_SCRIPT: join(base, 'script.json'),
    LOOPWRIGHT_TASK_LOCK_DIR: join(base, 'locks'),
  };
  const run = (...args: string[]) => loopwright(args, { cwd, env });
  const added = await run('task', 'add', 'make b', '--command', 'node check.mjs', '--json');
  const { id } = JSON.parse(added.stdout) as { id: string };
  await run('work', '--once');
  expect(hub.pulls).toMatchObject([{ number: 1, state: 'open' }]);
  const push = (file: string) => {
    write(cwd, { [file]: '' });
    commitAll(cwd, file);
    git(cwd, 'push', '-q', 'origin', 'main');
  };
  const state = async () => JSON.parse((await run('task', 'show', id, '--json')).stdout);
  return { bare, hub, run, id, push, state };
}

it('judge approve --merge runs the checks on what the base of the remote would become, and refuses red', async () => {
  const { bare, hub, run, id, push, state } = await delivered();
  push('no-b');
  const head = git(bare, 'rev-parse', 'main');
  const refused = await run('judge', id, 'approve', '--merge');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/With this work main would fail its checks[^]*b is not wanted[^]*judge \w+ rework/),
  ]);
  expect([git(bare, 'rev-parse', 'main'), hub.pulls[0]?.merged]).toEqual([head, false]);
  expect(await state()).toMatchObject({ state: 'blocked', blockReason: 'awaiting_judge' });
  const forced = await run('judge', id, 'approve', '--merge', '--unproven');
  expect([forced.code, forced.stdout]).toEqual([
    0,
    expect.stringContaining('although no check has seen the tree'),
  ]);
  expect(git(bare, 'show', 'main:b.txt')).toBe('b');
  const message = git(bare, 'log', '-1', '--format=%B', 'main');
  expect(message).toContain('Not proven when it was accepted:\n- no check has seen the tree');
  expect(message).toContain(`Loopwright-Task: ${id}`);
  expect((await state()).events.at(-1)).toMatchObject({
    state: 'done',
    reason: expect.stringContaining('although no check has seen the tree'),
  });
});

it('what stays green on the base that has moved is merged, and says on which tree it was checked', async () => {
  const { bare, run, id, push } = await delivered();
  push('other.txt');
  const done = await run('judge', id, 'approve', '--merge');
  expect([done.code, done.stderr]).toEqual([0, '']);
  expect(done.stdout).toContain('main would become what no check has seen');
  const tree = git(bare, 'rev-parse', 'main^{tree}').slice(0, 12);
  const message = git(bare, 'log', '-1', '--format=%B', 'main');
  expect(message).toContain(`Checked:\n- its own command: \`node check.mjs\` passed on tree ${tree}`);
  expect(git(bare, 'show', '--stat', '--format=', 'main')).toMatch(/b\.txt/);
});

it('nothing runs again where the base has not moved', async () => {
  const { bare, run, id } = await delivered();
  const done = await run('judge', id, 'approve', '--merge', '--json');
  expect(JSON.parse(done.stdout)).toMatchObject({
    merged: expect.stringContaining('/pull/1'),
    unchecked: [],
  });
  expect(git(bare, 'log', '-1', '--format=%B', 'main').trim()).toBe('make b (#1)');
});

it('what made its checks worth less needs a reason in github mode too, which the commit and the story keep', async () => {
  const test = "import { test } from 'node:test';\ntest('b', () => {});\ntest('c', () => {});\n";
  const { bare, run, id, state } = await delivered(
    [
      { write: { path: 'b.txt', content: 'b\n' } },
      { edit: { path: 'b.test.mjs', find: "test('c'", replace: "test.skip('c'" } },
    ],
    { 'b.test.mjs': test, 'package.json': { scripts: { test: 'node --test' } } },
  );
  const refused = await run('judge', id, 'approve');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/makes? its checks worth less[^]*b\.test\.mjs[^]*approve --suspicious/),
  ]);
  expect(await state()).toMatchObject({ state: 'blocked', blockReason: 'awaiting_judge' });
  const done = await run('judge', id, 'approve', '--merge', '--suspicious', 'c is gone');
  expect([done.code, done.stderr]).toEqual([0, '']);
  expect(git(bare, 'log', '-1', '--format=%B', 'main')).toContain('accepted by a person: c is gone');
  expect((await state()).events.at(-1).reason).toContain('suspicious changes accepted: c is gone');
});
