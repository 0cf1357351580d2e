import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TestRepo } from '../git/testing.ts';
import { type AcceptOptions, type AcceptResult, accept } from './accept.ts';
import type { Refused } from './refusal.ts';

/** A repository with a person who commits, a base branch `main` and a session's worktree. */
export class DeliveryLab extends TestRepo {
  readonly worktree: string;

  constructor() {
    super();
    this.git('config', 'user.name', 'Ada');
    this.git('config', 'user.email', 'ada@example.org');
    this.put('a.txt', 'one\n');
    this.put('b.txt', 'two\n');
    this.put('.gitignore', '*.log\n');
    this.commit('start');
    this.worktree = join(this.base, 'w ö');
    this.git('worktree', 'add', '-q', '-b', 'session/S1', this.worktree);
  }

  work(path: string, content: string): void {
    mkdirSync(dirname(join(this.worktree, path)), { recursive: true });
    writeFileSync(join(this.worktree, path), content);
  }

  hook(name: string, script: string): void {
    const file = join(this.dir, '.git', 'hooks', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }

  options(more: Partial<AcceptOptions> = {}): AcceptOptions {
    return {
      repo: this.dir,
      worktree: this.worktree,
      branch: 'session/S1',
      base: 'main',
      session: 'S1',
      mode: 'squash',
      message: 'Do the thing\n\nBecause of the goal.',
      ...more,
    };
  }

  accept(more: Partial<AcceptOptions> = {}): Promise<AcceptResult> {
    return accept(this.options(more));
  }

  read(path: string): string {
    return readFileSync(join(this.dir, path), 'utf8');
  }

  log(ref = 'main'): string[] {
    return this.git('log', '--format=%s', ref).trim().split('\n');
  }

  /** All that a refusal must leave as it was. */
  state(): unknown {
    const seen = (dir: string) => this.gitIn(dir, 'status', '--porcelain=v2', '--branch', '-uall');
    return [seen(this.dir), seen(this.worktree), this.git('for-each-ref'), this.git('stash', 'list')];
  }
}

export function refusedOf(result: { readonly kind: string }): Refused {
  if (result.kind !== 'refused') throw new Error(`not refused but ${result.kind}`);
  return result as Refused;
}
