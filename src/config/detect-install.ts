import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Found } from './detect/found.ts';
import { nodeManager } from './detect/package-json.ts';

export interface Install extends Found {
  /** The same, where the lock file may be brought up to date. */
  readonly plain?: readonly string[];
}

/** What installs a project's dependencies, told by its lock file; offered when no setup is configured. */
export function detectInstall(projectDir: string): Install | undefined {
  const has = (name: string) => existsSync(join(projectDir, name));
  const [file, command, plain] = LOCKED.find(([name]) => has(name)) ?? [];
  if (file !== undefined && command !== undefined)
    return { command, from: file, ...(plain === undefined ? {} : { plain }) };
  const manager = nodeManager(projectDir);
  return manager === undefined ? undefined : { command: [manager, 'install'], from: 'package.json' };
}

/** Exactly what the lock file says, without changing it: a worktree must not differ by its setup. */
const LOCKED: readonly (readonly [file: string, command: readonly string[], plain?: readonly string[]])[] = [
  ['pnpm-lock.yaml', ['pnpm', 'install', '--frozen-lockfile'], ['pnpm', 'install', '--no-frozen-lockfile']],
  ['.yarnrc.yml', ['yarn', 'install', '--immutable'], ['yarn', 'install', '--no-immutable']],
  ['yarn.lock', ['yarn', 'install', '--frozen-lockfile'], ['yarn', 'install']],
  ['bun.lock', ['bun', 'install', '--frozen-lockfile'], ['bun', 'install']],
  ['bun.lockb', ['bun', 'install', '--frozen-lockfile'], ['bun', 'install']],
  ['package-lock.json', ['npm', 'ci'], ['npm', 'install']],
  ['npm-shrinkwrap.json', ['npm', 'ci'], ['npm', 'install']],
  ['uv.lock', ['uv', 'sync', '--locked'], ['uv', 'sync']],
  ['poetry.lock', ['poetry', 'install']],
  ['Cargo.lock', ['cargo', 'fetch', '--locked'], ['cargo', 'fetch']],
  ['go.sum', ['go', 'mod', 'download']],
  ['Gemfile.lock', ['bundle', 'install']],
];
