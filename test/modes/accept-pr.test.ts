import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loopwright, tempFolder, write } from '../cli/support.ts';
import { commitAll, flow, git, read, repository, sessionIn } from '../cli/workspace-support.ts';
import { userSettings } from '../user-folder.ts';
import { GitHubServer } from './github-server.ts';

const GATED = {
  ...flow(['write', 'a.txt', 'one\n'], ['write', 'b.txt', 'two\n']),
  gates: ['Main__S2'],
};

/** A project with a remote on loopback, and a session that has completed. */
async function proposed(files: { readonly [path: string]: unknown } = {}) {
  const cwd = repository({ 'w.json': GATED, ...files });
  const base = tempFolder();
  const bare = join(base, 'acme', 'widget.git');
  mkdirSync(join(base, 'acme'));
  git(base, 'clone', '-q', '--bare', cwd, bare);
  git(cwd, 'remote', 'add', 'origin', bare);
  const hub = await GitHubServer.start(bare);
  onTestFinished(() => hub.close());
  const env = {
    ...userSettings(join(base, '.config'), { tokenHosts: [hub.url] }),
    GITHUB_TOKEN: 'secret-token',
    GITHUB_API_URL: hub.url,
  };
  const run = (...args: string[]) => loopwright(args, { cwd, env });
  const ended = await run('run', 'change it', '-w', 'w.json');
  return { cwd, bare, hub, run, id: sessionIn(ended.stdout) };
}

it('accept --pr pushes the branch and opens a pull request with the evidence; the base stays as it is', async () => {
  const { cwd, bare, hub, run, id } = await proposed();
  const head = git(cwd, 'rev-parse', 'main');
  const done = await run('accept', id, '--pr');
  expect([done.code, done.stderr]).toEqual([0, '']);
  const url = 'https://github.example/acme/widget/pull/1';
  expect(done.stdout).toMatch(/^Proposed for main: 2 files, \+2 -1, https:\/\/.*\/pull\/1\nnext: .* show /);
  expect([git(cwd, 'rev-parse', 'main'), read(cwd, 'b.txt')]).toEqual([head, undefined]);
  expect(git(bare, 'show', `loopwright/${id}:b.txt`)).toBe('two');
  expect(hub.pulls).toMatchObject([{ title: 'change it', head: `loopwright/${id}`, base: 'main' }]);
  expect(hub.pulls[0]?.body).toMatch(/Checked:\n- Main__S2: .* passed on tree \w{12}/);
  expect(hub.pulls[0]?.body).toMatch(new RegExp(`Loopwright-Session: ${id}$`));
  const { delivery } = JSON.parse((await run('show', id, '--json')).stdout) as { delivery: object };
  expect(delivery).toMatchObject({ kind: 'proposed', base: 'main', branch: `loopwright/${id}`, url });
  const again = await run('accept', id, '--pr', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ kind: 'proposed', url });
  expect(hub.pulls).toHaveLength(1);
  const undo = await run('undo', id);
  expect([undo.code, undo.stderr]).toEqual([1, expect.stringContaining(`as a pull request: ${url}`)]);
});

it('accept --pr runs the gates on what the base of the remote would become', async () => {
  const red =
    "import { existsSync } from 'node:fs';\nif (existsSync('b.txt') && existsSync('no-b')) process.exit(1);\n";
  const gate = flow(['write', 'b.txt', 'two\n']) as { nodes: { Main: { blocks: Record<string, object> } } };
  const blocks = {
    S1: {
      worker: 'Internal:Command',
      with: { argv: ['node', 'act.mjs', 'write', 'b.txt', 'two\n'] },
      transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'JUMP:Check' }],
    },
    Check: {
      worker: 'Internal:Command',
      with: { argv: ['node', 'check.mjs'] },
      transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' }],
    },
  };
  const workflow = { nodes: { Main: { ...gate.nodes.Main, blocks } }, gates: ['Main__Check'] };
  const { cwd, bare, hub, run, id } = await proposed({ 'w.json': workflow, 'check.mjs': red });
  write(cwd, { 'no-b': '' });
  commitAll(cwd, 'no b');
  git(cwd, 'push', '-q', 'origin', 'main');
  git(cwd, 'reset', '-q', '--hard', 'HEAD~1');
  const refused = await run('accept', id, '--pr');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('With this work main would fail its checks'),
  ]);
  expect([hub.pulls, git(bare, 'branch', '--list', 'loopwright/*')]).toEqual([[], '']);
  expect((await run('accept', id, '--pr', '--unproven')).code).toBe(0);
  expect(hub.pulls[0]?.body).toContain('Not proven when it was accepted:');
});

it('accept --pr is refused without a remote, and together with --merge', async () => {
  const { cwd, hub, run, id } = await proposed();
  const both = await run('accept', id, '--pr', '--merge');
  expect([both.code, both.stderr]).toEqual([1, expect.stringContaining('exclude each other')]);
  git(cwd, 'remote', 'remove', 'origin');
  const nowhere = await run('accept', id, '--pr');
  expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('has no remote "origin"')]);
  expect(hub.pulls).toEqual([]);
});

it('accept --pr lets no secret leave, not even one that only the local base has', async () => {
  const { cwd, hub, run } = await proposed();
  const key = ['AKIA', 'ABCDEFGH2345WXYZ'].join('');
  write(cwd, { 'key.txt': `${key}\n` });
  commitAll(cwd, 'not pushed');
  const id = sessionIn((await run('run', 'change it', '-w', 'w.json')).stdout);
  const refused = await run('accept', id, '--pr');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('key.txt:1')]);
  expect(refused.stderr).not.toContain(key);
  expect(hub.pulls).toEqual([]);
});
