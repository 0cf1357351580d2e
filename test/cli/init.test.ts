import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loopwright, tempFolder, write } from './support.ts';

const PACKAGE = { scripts: { test: 'node --test', build: 'node build.mjs' } };

test('init shows what it found and from where, and writes it', async () => {
  const cwd = tempFolder();
  write(cwd, { 'package.json': PACKAGE });
  const { code, stdout } = await loopwright(['init', '--yes'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/test +npm .* from package\.json/);
  expect(stdout).toMatch(/lint +not found/);
  expect(stdout).toContain('next: ');
  const config = JSON.parse(readFileSync(join(cwd, '.loopwright/config.json'), 'utf8')) as {
    commands: object;
  };
  expect(Object.keys(config.commands)).toEqual(['test', 'build']);
});

test('init keeps its folder out of git without touching a file of the project', async () => {
  const cwd = tempFolder();
  write(cwd, { 'package.json': PACKAGE, '.gitignore': 'dist\n' });
  const git = (...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' });
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '--quiet', '-m', 'start');
  await loopwright(['init', '--yes'], { cwd });
  expect(git('status', '--porcelain')).toBe('');
  git('worktree', 'add', '--quiet', 'tree');
  await loopwright(['init', '--yes'], { cwd: join(cwd, 'tree') });
  expect(git('-C', 'tree', 'status', '--porcelain')).toBe('');
  const exclude = readFileSync(join(cwd, '.git/info/exclude'), 'utf8');
  expect(exclude.match(/^\.loopwright\/$/gm)).toHaveLength(1);
});

test('init leaves an existing configuration alone; --force renews the commands and keeps the rest', async () => {
  const cwd = tempFolder();
  const workers = { Coder: { command: ['x'] } };
  write(cwd, { 'package.json': PACKAGE, '.loopwright/config.json': { workers, commands: { test: 'old' } } });
  const refused = await loopwright(['init', '--yes'], { cwd });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--force')]);
  expect((await loopwright(['init', '--yes', '--force', '--json'], { cwd })).code).toBe(0);
  const config = JSON.parse(readFileSync(join(cwd, '.loopwright/config.json'), 'utf8')) as object;
  expect(config).toMatchObject({ workers, commands: { test: expect.arrayContaining(['npm']) } });
});

test('without git, init works all the same', async () => {
  const cwd = tempFolder();
  const { code } = await loopwright(['init', '--yes'], { cwd, env: { PATH: '/nonexistent' } });
  expect(code).toBe(0);
  expect(existsSync(join(cwd, '.loopwright/config.json'))).toBe(true);
});

test('a configuration that cannot be used is named with its place, and looking at sessions still works', async () => {
  const cwd = tempFolder();
  write(cwd, { '.loopwright/config.json': { comands: {} } });
  const { code, stderr } = await loopwright(['run', 'go'], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining('Did you mean "commands"?')]);
  expect((await loopwright(['sessions'], { cwd })).code).toBe(0);
});
