import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSandbox } from '../../src/process/sandbox/sandbox.ts';
import { loopwright, tempFolder, write } from '../cli/support.ts';

const { sandbox } = await findSandbox();
const walled = sandbox === undefined ? describe.skip : describe;

/** A repository of a person with keys in the home folder, and a workflow that an agent or a program runs in. */
function home() {
  const base = tempFolder();
  const cwd = join(base, 'home', 'project');
  mkdirSync(join(base, 'home', '.ssh'), { recursive: true });
  writeFileSync(join(base, 'home', '.ssh', 'id'), 'PRIVATE KEY OF ADA');
  const env = {
    HOME: join(base, 'home'),
    LOOPWRIGHT_SANDBOX: 'standard',
    GITHUB_TOKEN: 'ghp_of_ada_and_nobody_else',
    SSH_AUTH_SOCK: '/run/user/1000/agent',
    NODE_OPTIONS: '',
    APP_SETTING: 'granted',
  };
  return { base, cwd, env };
}

const one = (worker: object, roster: object = {}) => ({
  nodes: { N: { entry_block: 'B', blocks: { B: { ...worker, transitions: [] } } } },
  ...(Object.keys(roster).length === 0 ? {} : { workers: roster }),
});

/** What a program of the repository that is run as a check can see and do. */
const LOOK = `
const fs = require('fs');
const tell = {};
const attempt = (name, act) => { try { tell[name] = act() ?? 'done'; } catch (error) { tell[name] = error.code; } };
attempt('key', () => fs.readFileSync(process.env.HOME + '/.ssh/id', 'utf8'));
attempt('home', () => fs.writeFileSync(process.env.HOME + '/project/planted', 'x'));
attempt('state', () => fs.readdirSync(process.env.HOME + '/project/.loopwright/sessions'));
attempt('config', () => fs.appendFileSync(process.env.HOME + '/project/.git/config', '[core]\\nfsmonitor = "touch /tmp/owned"\\n'));
attempt('hook', () => fs.writeFileSync(process.env.HOME + '/project/.git/hooks/post-commit', 'x'));
tell.token = process.env.GITHUB_TOKEN ?? null;
tell.agent = process.env.SSH_AUTH_SOCK ?? null;
tell.setting = process.env.APP_SETTING ?? null;
fs.writeFileSync('seen.json', JSON.stringify(tell));
`;

function repository(cwd: string, files: object): void {
  write(cwd, { 'a.txt': 'a', '.gitignore': 'seen.json\n', ...files });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=a@b.c', ...args], { cwd });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'start');
}

walled('a command inside the wall', () => {
  it('sees no key, no token and no session, and writes nothing but its tree', async () => {
    const { cwd, env } = home();
    const workflow = one({ worker: 'Internal:Command', with: { argv: ['node', 'look.js'] } });
    repository(cwd, { 'look.js': LOOK, 'w.json': workflow });
    write(cwd, { '.loopwright/config.json': { environment: { check: ['APP_*'] } } });
    const config = readFileSync(join(cwd, '.git/config'), 'utf8');
    const { code, stdout, stderr } = await loopwright(['run', '-w', 'w.json', 'look around', '--json'], {
      cwd,
      env,
    });
    expect([code, stderr]).toEqual([0, '']);
    const [, path = ''] = /"worktree":"([^"]+)"/.exec(stdout) ?? [];
    expect(JSON.parse(readFileSync(join(path, 'seen.json'), 'utf8'))).toEqual({
      key: 'ENOENT',
      home: 'EROFS',
      state: [],
      config: 'EROFS',
      hook: 'EROFS',
      token: null,
      agent: null,
      setting: 'granted',
    });
    expect(readFileSync(join(cwd, '.git/config'), 'utf8')).toBe(config);
    expect(existsSync(join(cwd, 'planted'))).toBe(false);
  });
});

describe('where there is no wall', () => {
  it('every run says so, and tokens are still kept from commands', async () => {
    const { cwd, env } = home();
    const workflow = one({ worker: 'Internal:Command', with: { argv: ['node', 'look.js'] } });
    repository(cwd, { 'look.js': LOOK, 'w.json': workflow });
    const place = { cwd, env: { ...env, LOOPWRIGHT_SANDBOX: 'off' } };
    const { stdout } = await loopwright(['run', '-w', 'w.json', 'look around', '--in-place'], place);
    expect(stdout).toContain('no sandbox: it is switched off');
    const [id = ''] = readdirSync(join(cwd, '.loopwright/sessions'));
    expect((await loopwright(['show', id], place)).stdout).toMatch(/sandbox +no sandbox: it is switched off/);
    const { stdout: json } = await loopwright(['show', id, '--json'], place);
    expect(JSON.parse(json)).toMatchObject({ sandbox: 'no sandbox: it is switched off' });
    const seen = JSON.parse(readFileSync(join(cwd, 'seen.json'), 'utf8')) as Record<string, unknown>;
    expect(seen).toMatchObject({ token: null, agent: null, setting: null });
  });
});

describe('loader variables', () => {
  it.each([
    [
      'a block',
      one({
        worker: 'Internal:Command',
        with: { argv: ['node', '-e', ''], env: { NODE_OPTIONS: '--require ./x' } },
      }),
    ],
    [
      'the command line of a block',
      one({ worker: 'Internal:Command', with: { command: 'LD_PRELOAD=./x.so node -e 0' } }),
    ],
    ['the roster', one({ worker: 'C' }, { C: { agent: 'scripted', env: { GIT_SSH_COMMAND: './x' } } })],
  ])('cannot be set by %s', async (_, workflow) => {
    const { cwd, env } = home();
    write(cwd, { 'w.json': workflow });
    const { code, stdout, stderr } = await loopwright(['validate', 'w.json'], { cwd, env });
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain('may not be set here: it makes programs load or start others');
  });
});
