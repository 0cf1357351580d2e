import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from './load-config.ts';
import { writeConfig } from './write-config.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lw-config-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const file = () => join(dir, '.loopwright/config.json');
const found = { test: { command: ['npm', 'run', 'test'], from: 'package.json script "test"' } };

describe('writing the configuration', () => {
  it('makes a file that loads', async () => {
    expect(await writeConfig(dir, found)).toEqual({ path: file(), written: true });
    expect(loadConfig(dir, {}).commands).toEqual({ test: ['npm', 'run', 'test'] });
    expect(await readdir(join(dir, '.loopwright'))).toEqual(['config.json']);
  });

  it('does not touch an existing file unless told to', async () => {
    await mkdir(join(dir, '.loopwright'));
    await writeFile(file(), '{"workflow": "mine.json", "commands": {"build": "make"}}');
    expect(await writeConfig(dir, found)).toMatchObject({ written: false });
    expect(await readFile(file(), 'utf8')).toContain('"build"');
    expect(await readdir(join(dir, '.loopwright'))).toEqual(['config.json']);
    expect(await writeConfig(dir, found, { overwrite: true })).toMatchObject({ written: true });
    expect(loadConfig(dir, {})).toMatchObject({
      workflow: 'mine.json',
      commands: { test: ['npm', 'run', 'test'] },
    });
    expect(loadConfig(dir, {}).commands).not.toHaveProperty('build');
  });

  it('replaces a broken file when told to', async () => {
    await mkdir(join(dir, '.loopwright'));
    await writeFile(file(), '{');
    await writeConfig(dir, {}, { overwrite: true });
    expect(loadConfig(dir, {}).commands).toEqual({});
  });

  it('lets one of several writers win, whole', async () => {
    const results = await Promise.all(Array.from({ length: 10 }, () => writeConfig(dir, found)));
    expect(results.filter(({ written }) => written)).toHaveLength(1);
    expect(loadConfig(dir, {}).commands).toEqual({ test: ['npm', 'run', 'test'] });
  });
});
