import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMasker } from '../../kernel/mask.ts';
import { openRepository } from '../git/repository.ts';
import { TestRepo } from '../git/testing.ts';
import { diskUse } from '../worktrees/disk-use.ts';
import { GitWorktreeManager } from '../worktrees/manager.ts';
import { copiedInto } from './copied-list.ts';
import { copyFiles } from './copy-files.ts';
import { type CommandServices, prepareWorktree, runSetup } from './prepare.ts';
import { shareFolder } from './share-folder.ts';

let repo: TestRepo;
let worktrees: GitWorktreeManager;
let to: string;
let gitDir: string;
let services: CommandServices;
beforeEach(async () => {
  repo = new TestRepo();
  repo.put('a.txt', 'a\n');
  repo.put('sub/tracked.env', 'tracked');
  repo.commit('first');
  worktrees = new GitWorktreeManager(await openRepository(repo.dir));
  ({ path: to } = await worktrees.create({ id: 's' }));
  gitDir = join(repo.dir, '.git/worktrees/s');
  services = {
    env: { ...process.env },
    masker: createMasker(['hunter2-secret']),
    logFolder: join(repo.base, 'logs'),
  };
});
afterEach(() => repo.dispose());

const copy = (...patterns: string[]) => copyFiles({ from: repo.dir, to, gitDir, patterns });
const modules = (count: number, bytes: number) => {
  for (let i = 0; i < count; i++) repo.put(`node_modules/p${i % 10}/lib/f${i}.js`, Buffer.alloc(bytes, 97));
  repo.put('node_modules/.package-lock.json', '{}');
  repo.put('node_modules/p1/.cache/state', 'state');
  mkdirSync(join(repo.dir, 'node_modules/.bin'));
  symlinkSync('../p1/lib/f1.js', join(repo.dir, 'node_modules/.bin/p1'));
};

describe('copied files', () => {
  it('RUN-06 .env and what globs match is copied with its mode and is nobody’s work', async () => {
    repo.put('.env', 'A=1', 0o600);
    repo.put('apps/web/.env.local', 'B=2');
    repo.put('certs/dev/key.pem', 'key');
    expect(await copy('.env', '**/.env.*', 'certs/', 'none.txt')).toEqual({
      copied: ['.env', 'apps/web/.env.local', 'certs/dev/key.pem'],
      missing: ['none.txt'],
      refused: [],
    });
    expect(statSync(join(to, '.env')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(to, 'certs/dev/key.pem'), 'utf8')).toBe('key');
    expect(await copiedInto(gitDir)).toEqual(['.env', 'apps/web/.env.local', 'certs/dev/key.pem']);
    expect(await worktrees.health('s')).toBe('clean');
    writeFileSync(join(to, 'real work.txt'), '');
    expect(await worktrees.health('s')).toBe('dirty');
  });

  it('paths that leave the tree or reach into our own folders are refused', async () => {
    const { refused, copied } = await copy(
      '../outside',
      '/etc/passwd',
      '.git/config',
      '.loopwright/x',
      '~/x',
    );
    expect(copied).toEqual([]);
    expect(refused.map(({ path }) => path)).toEqual([
      '../outside',
      '/etc/passwd',
      '.git/config',
      '.loopwright/x',
      '~/x',
    ]);
  });

  it('a file that the worktree has is left as it is, and stays its work', async () => {
    repo.put('sub/tracked.env', 'changed here');
    expect((await copy('sub/tracked.env')).refused).toEqual([
      { path: 'sub/tracked.env', reason: 'is in the worktree already' },
    ]);
    expect(readFileSync(join(to, 'sub/tracked.env'), 'utf8')).toBe('tracked');
    expect(await copiedInto(gitDir)).toEqual([]);
  });

  it('nothing is written through a link that leads out of the worktree', async () => {
    const outside = join(repo.base, 'outside');
    mkdirSync(outside);
    repo.put('conf/x.env', 'x');
    symlinkSync(outside, join(to, 'conf'));
    expect((await copy('conf/x.env')).refused[0]?.reason).toContain('out of the worktree');
    expect(readdirSync(outside)).toEqual([]);
  });

  it('a link is copied as the file it leads to', async () => {
    writeFileSync(join(repo.base, 'shared.env'), 'S=1');
    symlinkSync('../shared.env', join(repo.dir, '.env'));
    await copy('.env');
    expect(lstatSync(join(to, '.env')).isFile()).toBe(true);
    expect(readFileSync(join(to, '.env'), 'utf8')).toBe('S=1');
  });
});

describe('shared dependencies', () => {
  const share = (folder: string, target = to, admin = gitDir) =>
    shareFolder({ from: repo.dir, to: target, gitDir: admin, folder });

  it('ten worktrees do not cost ten node_modules', async () => {
    modules(200, 40_000);
    const before = used(repo.base);
    const one = await diskUse(join(repo.dir, 'node_modules'));
    for (let i = 0; i < 10; i++) {
      const { path } = await worktrees.create({ id: `w${i}` });
      const done = await share('node_modules', path, join(repo.dir, `.git/worktrees/w${i}`));
      // What a clone costs is not visible from outside.
      if (done.how === 'clone') return;
      expect(done.how).toBe('link');
      expect(readFileSync(join(path, 'node_modules/p3/lib/f3.js'))).toHaveLength(40_000);
    }
    expect(used(repo.base) - before).toBeLessThan(one / 2);
  });

  it('links are kept as they are, caches and state of tools are copies, and the folder is no work', async () => {
    modules(20, 100);
    expect(await share('node_modules')).toMatchObject({ files: 22 });
    expect(readlinkSync(join(to, 'node_modules/.bin/p1'))).toBe('../p1/lib/f1.js');
    for (const path of ['.package-lock.json', 'p1/.cache/state']) {
      expect(statSync(join(to, 'node_modules', path)).nlink).toBe(1);
    }
    expect(await worktrees.health('s')).toBe('clean');
    expect(existsSync(join(to, '.node_modules.partial'))).toBe(false);
  });

  it('replacing a file stays in the worktree', async () => {
    modules(20, 100);
    const done = await share('node_modules');
    if (done.how === 'none') throw new Error(done.reason);
    const shared = join(to, 'node_modules');
    unlinkSync(join(shared, 'p1/lib/f1.js'));
    writeFileSync(join(shared, 'p1/lib/f1.js'), 'replaced');
    expect(readFileSync(join(repo.dir, 'node_modules/p1/lib/f1.js'))).toHaveLength(100);
  });

  it('says why nothing was shared', async () => {
    expect(await share('node_modules')).toMatchObject({
      how: 'none',
      reason: expect.stringContaining('no folder') as string,
    });
    expect(await share('../x')).toMatchObject({ how: 'none' });
    mkdirSync(join(repo.dir, 'sub2'));
    mkdirSync(join(to, 'sub2'));
    expect(await share('sub2')).toMatchObject({
      how: 'none',
      reason: expect.stringContaining('already') as string,
    });
  });

  it('over two file systems nothing is shared rather than everything copied', async () => {
    const other = existsSync('/dev/shm') ? mkdtempSync('/dev/shm/lw-share-') : undefined;
    if (other === undefined || statSync(other).dev === statSync(tmpdir()).dev) return;
    try {
      modules(2, 10);
      expect(await share('node_modules', other)).toMatchObject({ how: 'none' });
      expect(readdirSync(other)).toEqual([]);
    } finally {
      rmSync(other, { recursive: true });
    }
  });
});

describe('setup and teardown', () => {
  const node = (code: string) => ({ argv: [process.execPath, '-e', code] });

  it('runs in the worktree, in order, stops at a failure, and keeps the masked output', async () => {
    repo.put('.env', 'A=1');
    const done = await prepareWorktree(
      {
        from: repo.dir,
        worktree: to,
        copy: ['.env'],
        share: ['node_modules'],
        setup: [
          node('console.log(process.cwd(), "hunter2-secret"); require("fs").writeFileSync("made", "")'),
          node('console.error("broken"); process.exit(3)'),
          node('require("fs").writeFileSync("never", "")'),
        ],
      },
      services,
    );
    expect(done.ok).toBe(false);
    expect(done.copied.copied).toEqual(['.env']);
    expect(done.shared).toMatchObject([{ how: 'none' }]);
    expect(done.commands.map(({ ok, end }) => [ok, end])).toEqual([
      [true, 'ended with exit code 0'],
      [false, 'ended with exit code 3'],
    ]);
    const log = readFileSync(done.commands[0]!.log, 'utf8');
    expect(log).toContain(to);
    expect(log).not.toContain('hunter2');
    expect(readFileSync(done.commands[1]!.log, 'utf8')).toContain('broken');
    expect(existsSync(join(to, 'never'))).toBe(false);
  });

  it('a teardown continues after a failure', async () => {
    const done = await runSetup('teardown', [node('process.exit(1)'), node('')], { worktree: to }, services);
    expect(done.map(({ ok }) => ok)).toEqual([false, true]);
  });
});

/** Bytes on disk below a folder, files with several names counted once. */
function used(folder: string): number {
  return Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]) * 1024;
}
