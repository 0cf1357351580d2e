import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TestRepo } from '../git/testing.ts';
import type { OpenOptions } from './open-worktree.ts';
import { type SavedCheckpoint, TreeCheckpoints } from './tree-checkpoints.ts';

/** A repository with three files, and a worktree of it that a session works in. */
export class CheckpointLab extends TestRepo {
  readonly tree: string;

  constructor() {
    super();
    this.put('a.txt', 'one\n');
    this.put('src/b.txt', 'two\n');
    this.put('.gitignore', '*.log\n/.env\n');
    this.commit('start');
    this.tree = join(this.base, 'work tree é');
    this.git('worktree', 'add', '-q', '-b', 'session', this.tree);
  }

  open(options: OpenOptions = {}): TreeCheckpoints {
    return new TreeCheckpoints(this.tree, 'S1', options);
  }

  work(path: string, content: string): void {
    mkdirSync(dirname(join(this.tree, path)), { recursive: true });
    writeFileSync(join(this.tree, path), content);
  }

  read(path: string): string {
    return readFileSync(join(this.tree, path), 'utf8');
  }

  filesOf(ref: string): string[] {
    const names = this.git('ls-tree', '-r', '--name-only', '-z', ref);
    return names.split('\0').filter((name) => name !== '');
  }

  gitDirOf(dir: string): string {
    return this.gitIn(dir, 'rev-parse', '--absolute-git-dir').trim();
  }

  /** Everything of the user's that a checkpoint must not change. */
  usersState(dir: string): unknown {
    const refs = this.git('for-each-ref').split('\n');
    return {
      status: this.gitIn(dir, 'status', '--porcelain=v2', '--branch'),
      index: this.gitIn(dir, 'ls-files', '-s'),
      refs: refs.filter((line) => !line.includes('refs/loopwright/')),
      reflog: this.gitIn(dir, 'reflog'),
      stash: this.git('stash', 'list'),
    };
  }
}

export function saved(result: SavedCheckpoint | 'unchanged'): SavedCheckpoint {
  if (result === 'unchanged') throw new Error('nothing was saved');
  return result;
}
