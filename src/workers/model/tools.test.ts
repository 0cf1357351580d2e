import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectTools } from './tools.ts';

let base: string;
let tree: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'lw-tools-')));
  tree = join(base, 'tree');
  mkdirSync(join(tree, 'src'), { recursive: true });
  mkdirSync(join(tree, '.git'));
  writeFileSync(join(tree, 'src/a.js'), 'const needle = 1;\n');
  writeFileSync(join(tree, '.git/config'), 'needle\n');
  writeFileSync(join(base, 'outside.txt'), 'needle\n');
  symlinkSync(join(base, 'outside.txt'), join(tree, 'link.txt'));
});
afterEach(() => rmSync(base, { recursive: true }));

const use = (name: string, input: { readonly [key: string]: string | number }) =>
  projectTools(tree)
    .find((tool) => tool.name === name)
    ?.use(input);

describe('the tools of a model', () => {
  it('are these three, and none of them writes or starts anything', () => {
    expect(projectTools(tree).map(({ name }) => name)).toEqual(['list_files', 'read_file', 'search_files']);
  });

  it('list, read and find what is in the tree', async () => {
    expect(await use('list_files', { folder: 'src' })).toBe('src/a.js');
    expect(await use('read_file', { path: 'src/a.js' })).toContain('1\tconst needle = 1;');
    expect(await use('search_files', { text: 'needle' })).toBe('src/a.js:1: const needle = 1;');
  });

  it.each(['../outside.txt', '/etc/hostname', 'link.txt', '.git/config', './.git/config'])(
    'do not show %s',
    async (path) => {
      expect(await use('read_file', { path })).toContain('could be read');
    },
  );
});
