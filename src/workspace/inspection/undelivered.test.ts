import { linkSync, mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CheckpointLab } from '../checkpoints/testing.ts';
import { BoundGit } from '../git/bound-git.ts';
import { type BesideTree, besideTree, undelivered } from './undelivered.ts';

let lab: CheckpointLab;
let before: BesideTree;

beforeEach(async () => {
  lab = new CheckpointLab();
  lab.put('.gitignore', '*.log\n/.env\nnode_modules/\n');
  lab.commit();
  lab.gitIn(lab.tree, 'reset', '-q', '--hard', 'main');
  lab.work('.env', 'A=1\n');
  lab.work('node_modules/old/index.js', '1\n');
  lab.work('node_modules/gone/index.js', '1\n');
  before = await besideTree(new BoundGit(lab.tree), 'HEAD', lab.tree);
  // The clock of files is coarser than that of programs.
  const probe = join(lab.base, 'probe');
  do writeFileSync(probe, '');
  while (statSync(probe).ctimeMs <= before.at);
});
afterEach(() => lab.dispose());

const found = async (from = lab.dir) => {
  const tree = await lab.open().tree();
  return undelivered(new BoundGit(lab.dir), { tree, top: lab.tree, from }, before);
};

it('knows what was there before, and that nothing of it has changed', async () => {
  expect(before.paths.toSorted()).toEqual(['.env', 'node_modules']);
  lab.work('a.txt', 'other\n');
  lab.work('src/new.txt', 'delivered\n');
  expect(await found()).toEqual([]);
});

it.each<[string, () => void, string]>([
  ['a new file that git ignores', () => lab.work('node_modules/.cache/k', '1'), 'node_modules/.cache/k'],
  ['a changed one', () => lab.work('.env', 'A=2\n'), '.env'],
  ['one whose time was set back', () => backdated('src/x.log'), 'src/x.log'],
  ['a new name of an old file, set back', () => linked('src/x.log'), 'src/x.log'],
  ['a link', () => symlinkSync('/nowhere', join(lab.tree, 'l.log')), 'l.log'],
  ['a repository inside', () => nested('src/impl'), 'src/impl/f.txt'],
  ['a folder without a file', () => mkdirSync(join(lab.tree, 'e')), 'e/'],
  ['a folder of which something is gone', () => removed('node_modules/gone/index.js'), 'node_modules/gone/'],
  ['a file that is gone', () => removed('.env'), '.env'],
])('%s', async (_name, act, path) => {
  act();
  expect(await found()).toContain(path);
});

it('a file that is one with the checkout and linked once more is what it was', async () => {
  lab.put('node_modules/shared/index.js', '1\n');
  const old = join(lab.dir, 'node_modules/shared/index.js');
  utimesSync(old, 1, 1);
  rmSync(join(lab.tree, 'node_modules/old/index.js'));
  linkSync(old, join(lab.tree, 'node_modules/old/index.js'));
  expect(await found()).toEqual(['node_modules/old/index.js']);
  linkSync(old, join(lab.dir, 'node_modules/old.js'));
  linkSync(old, join(lab.tree, 'node_modules/old.js'));
  expect(await found()).toEqual(['node_modules/old/index.js']);
});

function backdated(path: string): void {
  lab.work(path, '1');
  utimesSync(join(lab.tree, path), 1, 1);
}

function linked(path: string): void {
  lab.work(path, '1');
  linkSync(join(lab.tree, path), join(lab.tree, `${path}.log`));
  utimesSync(join(lab.tree, path), 1, 1);
}

function nested(path: string): void {
  lab.work(`${path}/f.txt`, '1');
  lab.gitIn(lab.tree, 'init', '-q', path);
}

function removed(path: string): void {
  rmSync(join(lab.tree, path));
}
