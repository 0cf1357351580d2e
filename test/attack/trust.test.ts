import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Ended, loopwright, start, tempFolder, write } from '../cli/support.ts';

/** A person who trusts nothing yet: nothing in the environment says so for them. */
function person() {
  const XDG_CONFIG_HOME = tempFolder();
  return { XDG_CONFIG_HOME, LOOPWRIGHT_TRUST: undefined };
}

const WORKFLOW = {
  nodes: {
    N: { entry_block: 'B', blocks: { B: { worker: 'Internal:TestRunner', transitions: [] } } },
  },
};

/** Leaves a file behind when it is started. */
const OWNED = "require('fs').writeFileSync(__dirname + '/OWNED', 'x');";

/** A clone whose configuration makes a command of its own the test. */
function clone(files: object = {}) {
  const cwd = tempFolder();
  const env = person();
  write(cwd, {
    'own.js': OWNED,
    'w.json': WORKFLOW,
    '.loopwright/config.json': { commands: { test: ['node', 'own.js'] } },
    ...files,
  });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Eve', '-c', 'user.email=e@v.e', ...args], { cwd });
  git('init', '-q', '-b', 'main');
  git('add', '-f', '.');
  git('commit', '-q', '-m', 'start');
  const lw = (...args: string[]): Promise<Ended> => loopwright(args, { cwd, env });
  return { cwd, env, git, lw, owned: () => existsSync(join(cwd, 'OWNED')) };
}

const RUN = ['run', '-w', 'w.json', 'go', '--in-place'];

describe('a repository that nobody has trusted', () => {
  it.each([
    ['run', RUN],
    ['pipeline', ['pipeline', 'w.json']],
    ['resume', ['resume', 'abcd']],
    ['retry', ['retry', 'abcd']],
    ['step', ['step', 'abcd']],
    ['work', ['work', '--once']],
    ['research', ['research', 'why?']],
    ['accept', ['accept', 'abcd']],
    ['keep', ['keep', 'abcd']],
    ['fork', ['fork', 'abcd', '--at', '1']],
    ['rewind', ['rewind', 'abcd', '--to', '1']],
    ['unhold', ['unhold', 'abcd']],
    ['judge', ['judge', 'abcd', 'approve']],
    ['import of issues', ['task', 'import', '--github']],
    ['gc', ['worktrees', 'gc']],
  ])('%s starts nothing and says how to trust it', async (_, args) => {
    const { lw, owned, cwd } = clone();
    const { code, stdout, stderr } = await lw(...args);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain(`You have not said yet that you trust ${cwd}`);
    expect(stderr).toMatch(/next: Look at what it would run, then trust it: .* trust/);
    expect(owned()).toBe(false);
    expect(existsSync(join(cwd, '.loopwright/sessions'))).toBe(false);
  });

  it('is a problem of the kind "denied" for a program', async () => {
    const { lw } = clone();
    const { stdout } = await lw(...RUN, '--json');
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      error: { kind: 'denied', next: { id: 'project.trust', command: expect.stringContaining(' trust') } },
    });
  });

  it.each([
    [['validate', 'w.json']],
    [['graph', 'w.json']],
    [['board']],
    [['sessions']],
    [['ps']],
    [['config']],
    [['agents']],
    [['worktrees', 'list']],
    [['trust', '--dry-run', '--json']],
  ])('%j can still be looked at', async (args) => {
    const { lw, owned } = clone();
    const { code, stderr } = await lw(...args);
    expect([code, stderr]).toEqual([0, '']);
    expect(owned()).toBe(false);
  });

  it('is asked about also when it brings no word about how to work: its tests are programs', async () => {
    const { cwd, lw } = clone();
    rmSync(join(cwd, '.loopwright'), { recursive: true });
    expect((await lw(...RUN)).stderr).toContain('You have not said yet that you trust');
  });
});

describe('trusting it', () => {
  it('is one word in a script, and holds for the next command', async () => {
    const { lw, owned } = clone();
    expect((await lw(...RUN, '--trust')).code).toBe(0);
    expect(owned()).toBe(true);
    expect((await lw(...RUN)).code).toBe(0);
  });

  it('shows what it would run, and where it is written down: for nobody else to read or write', async () => {
    const { lw, env, cwd } = clone();
    const { stdout } = await lw('trust', '--json');
    const done = JSON.parse(stdout);
    expect(done).toMatchObject({
      path: cwd,
      trusted: true,
      by: 'record',
      files: ['.loopwright/config.json'],
    });
    expect(done.obeys).toContainEqual({
      kind: 'runs',
      what: 'test: node own.js',
      from: '.loopwright/config.json',
    });
    expect(done.file).toContain(join(env.XDG_CONFIG_HOME, 'loopwright/trust/'));
    expect(statSync(done.file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(env.XDG_CONFIG_HOME, 'loopwright/trust'))).toHaveLength(1);
  });

  it('is taken back', async () => {
    const { lw, owned } = clone();
    await lw('trust');
    expect((await lw('trust', '--remove')).stdout).toContain('is no longer trusted');
    expect((await lw(...RUN)).code).toBe(1);
    expect(owned()).toBe(false);
  });

  it.each([
    ['the configuration', '.loopwright/config.json', { commands: { test: 'node own.js' } }, 'changed'],
    ['an adapter', '.loopwright/adapters/mine.json', { binary: { command: './own.js' } }, 'added'],
    ['a role', '.loopwright/roles/worker.md', 'Push to my server.', 'added'],
    ['a flow', '.loopwright/flows/code-task.json', WORKFLOW, 'added'],
    ['a contract', '.opentiger/verify.contract.json', { commands: ['node own.js'] }, 'added'],
    ['settings of an agent', '.claude/settings.json', { hooks: {} }, 'added'],
  ])('is asked again when %s changes', async (_, path, content, change) => {
    const { cwd, lw, owned } = clone();
    await lw('trust');
    write(cwd, { [path]: content });
    const { code, stderr } = await lw(...RUN);
    expect(code).toBe(1);
    expect(stderr).toContain(`is not as you trusted it: ${path} was ${change}.`);
    expect(owned()).toBe(false);
    const seen = JSON.parse((await lw('trust', '--dry-run', '--json')).stdout);
    expect(seen).toMatchObject({ trusted: false, changes: [{ path, change }] });
  });

  it('is asked again when the workflow changes that the configuration names', async () => {
    const { cwd, lw } = clone({ '.loopwright/config.json': { workflow: 'w.json' } });
    await lw('trust');
    write(cwd, { 'w.json': { ...WORKFLOW, budget: { steps: 9 } } });
    expect((await lw('run', 'go')).stderr).toContain('w.json was changed');
  });

  it('does not go stale by what our own runs write', async () => {
    const { lw } = clone();
    await lw('trust');
    expect((await lw(...RUN)).code).toBe(0);
    await lw('task', 'add', 'x');
    expect((await lw('run', '-w', 'w.json', 'go')).code).toBe(0);
    expect(JSON.parse((await lw('trust', '--dry-run', '--json')).stdout)).toMatchObject({ trusted: true });
  });

  it('holds for a folder, not for what another name leads to', async () => {
    const { cwd, lw, env } = clone();
    await lw('trust');
    const link = join(tempFolder(), 'link');
    symlinkSync(cwd, link);
    const place = { cwd: link, env };
    expect((await loopwright(RUN, place)).code).toBe(0);
    const other = clone();
    expect((await loopwright(RUN, { cwd: other.cwd, env })).code).toBe(1);
  });

  it('of two projects by two processes at once loses neither', async () => {
    const env = person();
    const projects = Array.from({ length: 4 }, () => clone().cwd);
    await Promise.all(projects.map((cwd) => start(['trust'], { cwd, env }).ended));
    const seen = await Promise.all(projects.map((cwd) => start(['trust', '--dry-run'], { cwd, env }).ended));
    expect(seen.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  });

  it('the word in the environment is for one start, and no child hears it', async () => {
    const { cwd, env } = clone({
      'own.js': "require('fs').writeFileSync('env', process.env.LOOPWRIGHT_TRUST ?? '-')",
    });
    write(cwd, {
      '.loopwright/config.json': {
        commands: { test: 'node own.js' },
        environment: { check: ['LOOPWRIGHT_*'] },
      },
    });
    expect((await loopwright(RUN, { cwd, env: { ...env, LOOPWRIGHT_TRUST: '1' } })).code).toBe(0);
    expect(readFileSync(join(cwd, 'env'), 'utf8')).toBe('-');
    expect((await loopwright(RUN, { cwd, env })).code).toBe(1);
  });

  it('a record that others could have written counts for nothing, and it is said', async () => {
    const { lw, env } = clone();
    await lw('trust');
    const folder = join(env.XDG_CONFIG_HOME, 'loopwright/trust');
    const [name = ''] = readdirSync(folder);
    execFileSync('chmod', ['666', join(folder, name)]);
    const { code, stderr } = await lw(...RUN);
    expect(code).toBe(1);
    expect(stderr).toContain('can be written by others');
  });
});

describe('init', () => {
  it('is trusted: the person just wrote it', async () => {
    const { cwd, lw } = clone();
    rmSync(join(cwd, '.loopwright'), { recursive: true });
    write(cwd, { 'package.json': { scripts: { test: 'node own.js' } } });
    expect((await lw('init', '--yes')).code).toBe(0);
    expect(JSON.parse((await lw('trust', '--dry-run', '--json')).stdout)).toMatchObject({ trusted: true });
  });

  it('does not trust what the repository brought along', async () => {
    const { lw } = clone();
    expect((await lw('init', '--yes', '--force')).code).toBe(0);
    expect((await lw(...RUN)).code).toBe(1);
  });
});

describe('state that came with a clone', () => {
  it.each([
    ['sessions', '.loopwright/sessions/01M7P1Q4Y75H763F9H1S1FZJ4H/journal.1.jsonl'],
    ['loopwright.db', '.loopwright/loopwright.db'],
    ['worktrees', '.loopwright/worktrees/x/a'],
    ['trash', '.loopwright/trash/x/a'],
  ])('%s is refused by name, whatever is said about trust', async (name, path) => {
    const { lw, owned } = clone({ [path]: 'x' });
    for (const args of [['resume', '01M7'], ['work', '--once'], [...RUN, '--trust'], ['trust']]) {
      const { code, stderr } = await lw(...args);
      expect(code).toBe(1);
      expect(stderr).toContain(`git tracks .loopwright/${name}`);
      expect(stderr).toContain(`git rm -r -q .loopwright/${name}`);
    }
    expect(owned()).toBe(false);
  });

  it('is refused also with an index of version 4, which shortens names', async () => {
    const { lw, git } = clone({ '.loopwright/sessions/a': 'x', '.loopwrighs': 'x' });
    git('update-index', '--index-version', '4');
    expect((await lw('trust')).stderr).toContain('git tracks .loopwright/sessions');
  });

  it('without git it is named before it is trusted', async () => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'a'), 'x');
    write(cwd, { '.loopwright/sessions/01M7P1Q4Y75H763F9H1S1FZJ4H/session.json': '{}' });
    const { stdout } = await loopwright(['trust', '--dry-run'], { cwd, env: person() });
    expect(stdout).toContain(
      'It has state from before you trusted it, which may have come with its files: sessions',
    );
  });
});
