import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlain, readPlain } from '../../src/process/plain-file.ts';
import { type Ended, loopwright, start, tempFolder, write } from '../cli/support.ts';

const WORKFLOW = {
  nodes: { N: { entry_block: 'B', blocks: { B: { worker: 'Internal:TestRunner', transitions: [] } } } },
};

function project() {
  const cwd = tempFolder();
  write(cwd, {
    'w.json': WORKFLOW,
    '.loopwright/config.json': { commands: { test: ['node', '--version'] } },
  });
  // A process of its own: one that opened a FIFO could not be ended otherwise.
  const lw = (...args: string[]): Promise<Ended> => start(args, { cwd }).ended;
  return { cwd, lw, at: (...path: string[]) => join(cwd, '.loopwright', ...path) };
}

/** With one session that has ended. */
async function withSession() {
  const made = project();
  const { stdout } = await loopwright(['run', '-w', 'w.json', 'go', '--in-place', '--json'], {
    cwd: made.cwd,
  });
  const [, id = ''] = /"session":"([^"]+)"/.exec(stdout) ?? [];
  return { ...made, id };
}

const fifo = (path: string): void => void execFileSync('mkfifo', [path]);

describe('a folder of ours that is a link', () => {
  it('.loopwright/sessions: clean deletes nothing of what it leads to', async () => {
    const { lw, at } = project();
    const home = tempFolder();
    for (const name of ['photos', 'letters', 'keys']) write(home, { [`${name}/a`]: 'x' });
    symlinkSync(home, at('sessions'));
    for (const args of [['clean', '--yes'], ['sessions'], ['run', '-w', 'w.json', 'x'], ['ps']]) {
      const { code, stderr } = await lw(...args);
      expect(code).toBe(1);
      expect(stderr).toContain(`${at('sessions')} is a symbolic link, which is neither followed nor opened`);
      expect(stderr).toContain(`rm '${at('sessions')}'`);
    }
    expect(readdirSync(home).sort()).toEqual(['keys', 'letters', 'photos']);
  });

  it('.loopwright itself', async () => {
    const { cwd, lw, at } = project();
    const elsewhere = join(tempFolder(), 'x');
    renameSync(at(), elsewhere);
    symlinkSync(elsewhere, at());
    const { code, stderr } = await lw('clean', '--yes', '--dir', cwd);
    expect(code).toBe(1);
    expect(stderr).toContain(`${at()} is a symbolic link`);
  });

  it.each(['worktrees', 'trash', 'loopwright.db', 'config.json', 'adapters'])(
    '.loopwright/%s',
    async (name) => {
      const { lw, at } = project();
      const target = tempFolder();
      rmSync(at(name), { force: true });
      symlinkSync(target, at(name));
      const { code, stderr } = await lw('board');
      expect(code).toBe(1);
      expect(stderr).toContain(`${at(name)} is a symbolic link`);
      expect(readdirSync(target)).toEqual([]);
    },
  );

  it('a session: it is no session', async () => {
    const { lw, at, id } = await withSession();
    const target = join(tempFolder(), 'mine');
    renameSync(at('sessions', id), target);
    symlinkSync(target, at('sessions', id));
    expect((await lw('sessions')).stdout).toContain('No sessions');
    expect((await lw('clean', '--yes')).code).toBe(0);
    expect(existsSync(join(target, 'session.json'))).toBe(true);
    expect(lstatSync(at('sessions', id)).isSymbolicLink()).toBe(true);
  });

  it('the logs of a session: nothing is written through it', async () => {
    const { lw, at, id } = await withSession();
    const target = tempFolder();
    rmSync(at('sessions', id, 'logs'), { recursive: true });
    symlinkSync(target, at('sessions', id, 'logs'));
    const { code, stderr } = await lw('logs', id);
    expect(code).toBe(1);
    expect(stderr).toContain('is a symbolic link');
    expect(readdirSync(target)).toEqual([]);
  });
});

describe('a FIFO in the place of a file holds up no command', () => {
  it.each([
    ['config.json', ['run', '-w', 'w.json', 'x']],
    ['config.json', ['config']],
    ['config.json', ['validate', 'w.json']],
    ['loopwright.db', ['board']],
    ['loopwright.db-wal', ['board']],
    ['sessions', ['sessions']],
  ])('.loopwright/%s: %j', async (name, args) => {
    const { lw, at } = project();
    rmSync(at(name), { force: true });
    fifo(at(name));
    const { code, stderr } = await lw(...args);
    expect(code).toBe(1);
    expect(stderr).toContain(`${at(name)} is a FIFO`);
  });

  it.each([
    ['adapters/mine.json', ['run', '-w', 'w.json', 'x', '--in-place'], 'is a FIFO'],
    ['adapters/mine.json', ['agents'], 'is a FIFO'],
  ])('.loopwright/%s: %j', async (path, args, says) => {
    const { lw, at } = project();
    mkdirSync(at('adapters'));
    fifo(at(path));
    const { stdout, stderr } = await lw(...args);
    expect(stdout + stderr).toContain(says);
  });

  it.each(['journal.1.jsonl', 'session.json', 'manifest.json'])('%s of a session', async (name) => {
    const { lw, at, id } = await withSession();
    rmSync(at('sessions', id, name));
    if (name === 'journal.1.jsonl') rmSync(at('sessions', id, 'session.json'));
    fifo(at('sessions', id, name));
    for (const args of [['sessions'], ['ps'], ['show', id], ['resume', id]]) {
      const { stdout, stderr } = await lw(...args);
      expect(stdout + stderr).not.toBe('');
    }
  });

  it('a log of a session', async () => {
    const { lw, at, id } = await withSession();
    fifo(at('sessions', id, 'logs', '0009-x.log'));
    expect((await lw('logs', id)).code).toBe(0);
    expect((await lw('show', id, '--log')).code).toBe(0);
  });

  it.each(['r', 'a', 'w'] as const)('opened with "%s"', (way) => {
    const path = join(tempFolder(), 'pipe');
    fifo(path);
    expect(() => openPlain(path, way)).toThrow(/is a FIFO/);
  });

  it('a link is not followed by any way of opening it, not even to a file that is not there', () => {
    const folder = tempFolder();
    symlinkSync(join(folder, 'target'), join(folder, 'link'));
    for (const way of ['r', 'a', 'w'] as const) {
      expect(() => openPlain(join(folder, 'link'), way)).toThrow('is a symbolic link');
    }
    expect(existsSync(join(folder, 'target'))).toBe(false);
    expect(() => readPlain('/dev/null')).toThrow('is a device');
  });
});

describe('only folders that are ours are removed', () => {
  it('a record of a worktree that names a folder of the user removes nothing', async () => {
    const { cwd, lw } = project();
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], { cwd });
    git('init', '-q', '-b', 'main');
    git('add', 'w.json');
    git('commit', '-q', '-m', 'start');
    const baseCommit = git('rev-parse', 'HEAD').toString().trim();
    const mine = tempFolder();
    write(mine, { 'photos/a': 'x' });
    for (const state of ['removing', 'creating', 'restoring']) {
      const record = {
        id: state,
        path: join(mine, 'photos'),
        branch: 'x',
        ownBranch: true,
        baseCommit,
        createdAt: 1,
        state,
      };
      write(cwd, { [`.git/loopwright/worktrees/${state}.json`]: record });
    }
    for (const args of [
      ['worktrees', 'list'],
      ['worktrees', 'gc', '--force'],
      ['clean', '--yes'],
    ]) {
      expect((await lw(...args)).stderr).toBe('');
      expect(readFileSync(join(mine, 'photos/a'), 'utf8')).toBe('x');
    }
  });
});

describe('what is kept is for its owner alone', () => {
  it('folders and files, the database and its log among them', async () => {
    const { cwd, lw, at } = await withSession();
    chmodSync(at(), 0o755);
    await lw('task', 'add', 'x');
    await lw('run', '-w', 'w.json', 'again', '--in-place');
    expect(statSync(at()).mode & 0o777).toBe(0o700);
    const open = execFileSync('find', [at(), '-perm', '/077', '!', '-name', 'config.json'], {
      cwd,
      encoding: 'utf8',
    });
    expect(open).toBe('');
  });

  it('a database that others can read is closed when it is next opened', async () => {
    const { lw, at } = project();
    await lw('task', 'add', 'x');
    chmodSync(at('loopwright.db'), 0o644);
    await lw('board');
    expect(statSync(at('loopwright.db')).mode & 0o777).toBe(0o600);
  });
});

it('a task whose note names another folder as its run does not remove it', async () => {
  const { RunFolders } = await import('../../src/tasks/prepare/direct/run-folder.ts');
  const state = tempFolder();
  mkdirSync(join(state, 'runs'));
  const mine = tempFolder();
  writeFileSync(join(mine, 'a'), 'x');
  const note = { run: `../../${mine.split('/').at(-1)}`, session: 's' };
  writeFileSync(join(state, 'runs', 'task-T.json'), JSON.stringify(note));
  await new RunFolders(state).forget('T');
  expect(readFileSync(join(mine, 'a'), 'utf8')).toBe('x');
});
