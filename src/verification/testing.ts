import { chmodSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createMasker } from '../kernel/mask.ts';
import { runProcess } from '../process/run.ts';
import { TreeCheckpoints } from '../workspace/checkpoints/tree-checkpoints.ts';
import { BoundGit } from '../workspace/git/bound-git.ts';
import { TestRepo } from '../workspace/git/testing.ts';
import { changedPaths } from '../workspace/git/tree-diff.ts';
import { compareSnapshots, takeSnapshot } from '../workspace/snapshot/take-snapshot.ts';
import { createTreeFingerprint } from '../workspace/tree-fingerprint.ts';
import { commandEnvironment } from './commands/command-env.ts';
import type { RunProgram } from './commands/run-chain.ts';
import type { Discarded, TaskTree, TreeChanges } from './task-tree.ts';

/** Real trees and real processes for tests of verification; not part of the package. */

/** The tree of a task in a git repository; its base is the commit it is made at. */
export function gitTree(repo: TestRepo): TaskTree {
  const base = repo.git('rev-parse', 'HEAD').trim();
  const list = (...args: string[]) => repo.git(...args).split('\0');
  const files = new TreeCheckpoints(repo.dir, 'testing');
  const tracked = () => new Set(list('ls-tree', '-r', '-z', '--name-only', base));
  return {
    root: repo.dir,
    mode: 'local-git',
    changes: async () => gitChanges(repo, base),
    identity: () => files.tree(),
    differing: (from, to) => changedPaths(new BoundGit(repo.dir), from, to),
    ignored: async (paths) => {
      if (paths.length === 0) return new Set();
      const found = () => repo.git('check-ignore', '--no-index', '--', ...paths).split('\n');
      return new Set(orNothing(found).filter((path) => path !== ''));
    },
    tracked: async (paths) => new Set(paths.filter((path) => tracked().has(path))),
    async discard(paths) {
      const known = tracked();
      for (const path of paths) {
        if (known.has(path)) repo.git('checkout', '-q', base, '--', path);
        else rmSync(join(repo.dir, path), { force: true });
      }
      return { discarded: paths, kept: [] };
    },
  };
}

function gitChanges(repo: TestRepo, base: string): TreeChanges {
  const [changed, removed]: [string[], string[]] = [[], []];
  const words = repo.git('diff', '--name-status', '--no-renames', '-z', base).split('\0');
  for (let at = 0; at + 1 < words.length; at += 2)
    (words[at] === 'D' ? removed : changed).push(words[at + 1] ?? '');
  const others = repo.git('ls-files', '--others', '--exclude-standard', '-z').split('\0');
  const added = others.filter((path) => path !== '');
  return { changed: changed.sort(), added: added.sort(), removed: removed.sort() };
}

/** git says with an error that nothing is ignored. */
function orNothing(list: () => string[]): string[] {
  try {
    return list();
  } catch {
    return [];
  }
}

/** The tree of a task in a plain folder: an added file can be moved to the trash, nothing else undone. */
export function folderTree(root: string): TaskTree & { readonly trash: string } {
  const before = takeSnapshot(root);
  const files = createTreeFingerprint(root);
  const trash = join(root, '.loopwright', 'trash', 'run');
  return {
    root,
    trash,
    mode: 'direct',
    changes: async () => compareSnapshots(before, takeSnapshot(root)),
    identity: () => files.fingerprint(),
    differing: async () => [],
    ignored: async () => new Set(),
    tracked: async (paths) => new Set(paths.filter((path) => before.files.has(path))),
    async discard(paths): Promise<Discarded> {
      const discarded = paths.filter((path) => !before.files.has(path));
      for (const path of discarded) {
        mkdirSync(dirname(join(trash, path)), { recursive: true });
        renameSync(join(root, path), join(trash, path));
      }
      const kept = paths.filter((path) => before.files.has(path));
      return { discarded, kept: kept.map((path) => ({ path, reason: 'it was there before' })) };
    },
  };
}

/** A repository with one commit that holds these files. */
export function repoWith(files: { readonly [path: string]: string }): TestRepo {
  const repo = new TestRepo('repo');
  for (const [path, content] of Object.entries(files)) repo.put(path, content);
  repo.commit();
  return repo;
}

export function folderWith(files: { readonly [path: string]: string }): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'lw-verify-')));
  for (const [path, content] of Object.entries(files)) putIn(root, path, content);
  return root;
}

export function putIn(root: string, path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

/** Starts programs as the worker does, and remembers what was started. */
export function realPrograms(root: string, env: NodeJS.ProcessEnv = process.env) {
  const started: string[] = [];
  const run: RunProgram = (program) => {
    started.push(program.argv.join(' '));
    return runProcess({
      ...program,
      env: { ...commandEnvironment(env, root), ...program.env },
      masker: createMasker([]),
      streams: 'merged',
      timeoutMs: 60_000,
    });
  };
  return { run, started };
}

/** A program on the search path of a test that does what the script says. */
export function fakeTool(folder: string, name: string, script: string): void {
  putIn(folder, name, `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}
