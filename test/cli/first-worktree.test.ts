import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, paste, tempFolder, write } from './support.ts';
import { commitAll, git, repository, sessionIn } from './workspace-support.ts';

/** A project as `npm init` and `npm install` leave it: its test needs a program of a package. */
const PACKAGE = {
  scripts: { test: 'say-green' },
  devDependencies: { 'say-green': '1.0.0' },
};

const flow = (worker: object) => ({
  gates: ['Main__Test'],
  nodes: {
    Main: {
      entry_block: 'Work',
      blocks: {
        Work: { ...worker, transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'JUMP:Test' }] },
        Test: {
          worker: 'Internal:TestRunner',
          transitions: [
            { on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' },
            { on_signal: 'SIGNAL:FAILURE', action: 'HALT_AND_FLAG' },
          ],
        },
      },
    },
  },
});
const WRITES = { worker: 'Internal:Command', with: { argv: ['node', 'act.mjs', 'write', 'a.txt', 'new'] } };

function npmProject(more: { readonly [path: string]: unknown } = {}): string {
  return repository({
    'package.json': PACKAGE,
    'package-lock.json': { lockfileVersion: 3 },
    '.gitignore': 'node_modules\n',
    'w.json': flow(WRITES),
    ...more,
  });
}

/** What `npm install` would have made of it. */
function install(cwd: string): void {
  write(cwd, {
    'node_modules/say-green/package.json': { name: 'say-green', version: '1.0.0' },
    'node_modules/.bin/say-green': '#!/bin/sh\nexit 0\n',
  });
  chmodSync(join(cwd, 'node_modules/.bin/say-green'), 0o755);
}

const run = (cwd: string, ...args: string[]) =>
  loopwright(['run', 'change it', '-w', 'w.json', ...args], { cwd });

describe('a project whose checks need packages', () => {
  it('gets those of the checkout into its worktree where nobody said how, and says so', async () => {
    const cwd = npmProject();
    install(cwd);
    const { code, stdout, stderr } = await run(cwd);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('node_modules is shared with the checkout');
    const folder = join(cwd, '.loopwright/worktrees', sessionIn(stdout));
    expect(existsSync(join(folder, 'node_modules/.bin/say-green'))).toBe(true);
    expect(git(folder, 'status', '--porcelain')).toContain('a.txt');
  });

  it('"share": [] switches that off', async () => {
    const cwd = npmProject();
    install(cwd);
    write(cwd, { '.loopwright/config.json': { worktrees: { share: [] } } });
    const { stdout } = await run(cwd);
    expect(existsSync(join(cwd, '.loopwright/worktrees', sessionIn(stdout), 'node_modules'))).toBe(false);
  });

  it('stops before anybody is paid where a check does not find its program; the setting to add works as printed', async () => {
    const paid = join(tempFolder(), 'paid');
    const pay = `require("node:fs").writeFileSync(${JSON.stringify(paid)}, "");`;
    const cwd = npmProject({
      'w.json': flow({ worker: 'Internal:Command', with: { argv: ['node', '-e', pay] } }),
    });
    const { code, stderr } = await run(cwd);
    expect(code).toBe(1);
    expect(stderr).toMatch(/test \(`npm run test`\) does not find a program/);
    expect(stderr).toContain('say-green');
    expect(stderr).toContain('"worktrees": {"setup":["npm ci"]}');
    expect(existsSync(paid)).toBe(false);
    expect(git(cwd, 'branch', '--list', 'loopwright/*')).toBe('');
    const next = /then start it again: (.*)$/m.exec(stderr)?.[1] ?? '';
    expect(next).toContain('run "change it" --workflow w.json');
    // Offline there is nothing to install from, so the setting makes what installing would have made.
    write(cwd, { '.loopwright/config.json': { worktrees: MADE } });
    const again = await paste(next, { cwd });
    expect([again.stderr, existsSync(paid)]).toEqual(['', true]);
  });

  it('a package that the project needs and that is not there stops it too', async () => {
    const cwd = npmProject({
      'package.json': { ...PACKAGE, scripts: { test: 'node t.mjs' } },
      't.mjs': "import 'say-green';\n",
    });
    const { code, stderr } = await run(cwd);
    expect([code, stderr]).toEqual([1, expect.stringContaining('the package "say-green"')]);
  });

  it('a missing file of its own is what the work is about, and stops nothing', async () => {
    const cwd = npmProject({
      'package.json': { ...PACKAGE, scripts: { test: 'node t.mjs' } },
      't.mjs': "import './not-yet.mjs';\n",
    });
    expect((await run(cwd)).stdout).toContain('red before the work began: test');
  });

  it('a session takes up a setting that was corrected since: its worktree is set up again', async () => {
    const cwd = npmProject();
    const halted = await run(cwd, '--no-baseline');
    expect([halted.code, halted.stdout]).toEqual([2, expect.stringContaining('halted at Main__Test')]);
    write(cwd, { '.loopwright/config.json': { worktrees: MADE } });
    const { stdout } = await loopwright(['retry', sessionIn(halted.stdout), '--trust'], { cwd });
    expect(stdout).toContain('its worktree was set up again');
    expect(stdout).toMatch(/Main__Test +SUCCESS/);
    // Red and green on the same files: only a second green proves anything.
    expect((await loopwright(['retry', sessionIn(halted.stdout)], { cwd })).code).toBe(0);
  });

  it('a task is blocked before its agent starts, and goes on once it was corrected', async () => {
    const cwd = npmProject({
      'steps.json': { steps: [{ write: { path: 'a.txt', content: 'new' } }, { say: 'done' }] },
    });
    const config = { sandbox: 'off', agents: { all: 'scripted' }, repository: { mode: 'local-git' } };
    const env = {
      LOOPWRIGHT_SCRIPT: join(cwd, 'steps.json'),
      LOOPWRIGHT_TASK_LOCK_DIR: join(cwd, '.git/locks'),
    };
    write(cwd, { '.loopwright/config.json': config });
    await loopwright(['task', 'add', 'change it', '--allow', 'a.txt'], { cwd, env });
    const first = await loopwright(['work', '--once'], { cwd, env });
    expect(first.stdout).toContain('does not find a program');
    const [task] = JSON.parse((await loopwright(['task', 'list', '--json'], { cwd })).stdout).tasks;
    expect(task).toMatchObject({ state: 'blocked' });
    write(cwd, { '.loopwright/config.json': { ...config, worktrees: MADE } });
    await loopwright(['task', 'requeue', task.id], { cwd, env });
    await loopwright(['work', '--once', '--trust'], { cwd, env });
    const [done] = JSON.parse((await loopwright(['task', 'list', '--all', '--json'], { cwd })).stdout).tasks;
    expect(done).toMatchObject({ state: 'blocked', blockReason: 'awaiting_judge' });
  });
});

/** A setup that makes the one program that is needed. */
const MADE = {
  setup: [
    ['node', '-e', 'require("node:fs").mkdirSync("node_modules/.bin", { recursive: true })'],
    [
      'node',
      '-e',
      'require("node:fs").writeFileSync("node_modules/.bin/say-green", "#!/bin/sh\\nexit 0\\n", { mode: 0o755 })',
    ],
  ],
};

describe('init', () => {
  it.each([
    ['npm', ['package-lock.json'], { setup: [['npm', 'ci']] }],
    ['pnpm', ['pnpm-lock.yaml'], { setup: [['pnpm', 'install', '--frozen-lockfile']] }],
    ['yarn', ['yarn.lock'], { setup: [['yarn', 'install', '--frozen-lockfile']] }],
    ['bun', ['bun.lock'], { setup: [['bun', 'install', '--frozen-lockfile']] }],
    ['what is installed', ['package-lock.json', 'node_modules/x/package.json'], { share: ['node_modules'] }],
  ])('writes how a worktree gets its packages, and shows it: %s', async (_name, files, worktrees) => {
    const cwd = repository({ 'package.json': PACKAGE, '.gitignore': 'node_modules\n' });
    write(cwd, Object.fromEntries(files.map((file) => [file, '{}'])));
    const { stdout } = await loopwright(['init', '--yes'], { cwd });
    expect(stdout).toMatch(/worktrees +(share|npm|pnpm|yarn|bun)/);
    expect(written(cwd)).toEqual(worktrees);
  });

  it.each([
    ['uv', { 'pyproject.toml': '', 'uv.lock': '' }, { setup: [['uv', 'sync', '--locked']] }],
    ['poetry', { 'pyproject.toml': '', 'poetry.lock': '' }, { setup: [['poetry', 'install']] }],
    [
      'an environment of its own',
      { 'requirements.txt': '', '.venv/bin/python': '' },
      {
        setup: [
          ['python3', '-m', 'venv', '.venv'],
          ['.venv/bin/python', '-m', 'pip', 'install', '-r', 'requirements.txt'],
        ],
      },
    ],
    ['go', { 'go.mod': '', 'go.sum': '' }, undefined],
    ['cargo', { 'Cargo.toml': '', 'Cargo.lock': '' }, undefined],
    ['no dependencies', { 'package.json': { scripts: { test: 'node --test' } } }, undefined],
  ])('%s', async (_name, files, worktrees) => {
    const cwd = repository();
    write(cwd, files);
    await loopwright(['init', '--yes'], { cwd });
    expect(written(cwd)).toEqual(worktrees);
  });

  it('leaves what a person or the team said about worktrees', async () => {
    const own = repository({ 'package.json': PACKAGE });
    write(own, { '.loopwright/config.json': { worktrees: { share: [] } } });
    await loopwright(['init', '--yes', '--force'], { cwd: own });
    expect(written(own)).toEqual({ share: [] });
    const team = repository({
      'package.json': PACKAGE,
      'loopwright.json': { worktrees: { setup: ['make'] } },
    });
    await loopwright(['init', '--yes'], { cwd: team });
    expect(written(team)).toBeUndefined();
  });

  it('in a folder below the top of its repository, what it wrote works too', async () => {
    const cwd = repository({ '.gitignore': 'node_modules\n' });
    const sub = join(cwd, 'web');
    write(sub, {
      'package.json': PACKAGE,
      'w.json': flow({ ...WRITES, with: { argv: ['node', '-e', ''] } }),
    });
    commitAll(cwd, 'web');
    install(sub);
    await loopwright(['init', '--yes'], { cwd: sub });
    expect(written(sub)).toEqual({ share: ['web/node_modules'] });
    const { stdout, stderr } = await run(sub);
    expect(stderr).toBe('');
    expect(stdout).not.toContain('red before');
  });
});

function written(cwd: string): unknown {
  return JSON.parse(readFileSync(join(cwd, '.loopwright/config.json'), 'utf8')).worktrees;
}

describe('what a worktree begins with is shown', () => {
  it('by config, with its source', async () => {
    const cwd = npmProject();
    const rows = async () => {
      const { settings } = JSON.parse((await loopwright(['config', '--json'], { cwd })).stdout);
      return settings
        .filter(({ key }: { key: string }) => key.startsWith('worktrees.'))
        .map(({ key, value, source }: { key: string; value: unknown; source: string }) => [
          key,
          value,
          source,
        ]);
    };
    expect(await rows()).toContainEqual(['worktrees.share', [], 'default']);
    install(cwd);
    expect(await rows()).toContainEqual(['worktrees.share', ['node_modules'], 'detected']);
    write(cwd, { 'loopwright.json': { worktrees: { setup: ['npm ci', ['node', 'x y.mjs']] } } });
    expect(await rows()).toContainEqual(['worktrees.setup', ['npm ci', "node 'x y.mjs'"], 'file']);
    expect((await loopwright(['config'], { cwd })).stdout).toMatch(/worktrees\.setup.*npm ci/);
  });

  it('by trust, with the folders that are shared', async () => {
    const cwd = npmProject();
    write(cwd, { '.loopwright/config.json': { worktrees: { share: ['node_modules'], copy: ['.env'] } } });
    const { stdout } = await loopwright(['trust', '--dry-run'], { cwd });
    expect(stdout).toMatch(/shares with each worktree: node_modules/);
    expect(stdout).toMatch(/copies into each worktree: \.env/);
  });
});
