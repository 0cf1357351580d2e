import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Found } from './detect/found.ts';
import { nodeManager } from './detect/package-json.ts';

/** What installs a project's dependencies, told by its lock file; offered when no setup is configured. */
export function detectInstall(projectDir: string): Found | undefined {
  const has = (name: string) => existsSync(join(projectDir, name));
  const [file, command] = LOCKED.find(([name]) => has(name)) ?? [];
  if (file !== undefined && command !== undefined) return { command, from: file };
  const manager = nodeManager(projectDir);
  return manager === undefined ? undefined : { command: [manager, 'install'], from: 'package.json' };
}

/** Exactly what the lock file says, without changing it: a worktree must not differ by its setup. */
const LOCKED: readonly (readonly [file: string, command: readonly string[]])[] = [
  ['pnpm-lock.yaml', ['pnpm', 'install', '--frozen-lockfile']],
  ['.yarnrc.yml', ['yarn', 'install', '--immutable']],
  ['yarn.lock', ['yarn', 'install', '--frozen-lockfile']],
  ['bun.lock', ['bun', 'install', '--frozen-lockfile']],
  ['bun.lockb', ['bun', 'install', '--frozen-lockfile']],
  ['package-lock.json', ['npm', 'ci']],
  ['npm-shrinkwrap.json', ['npm', 'ci']],
  ['uv.lock', ['uv', 'sync', '--locked']],
  ['poetry.lock', ['poetry', 'install']],
  ['Cargo.lock', ['cargo', 'fetch', '--locked']],
  ['go.sum', ['go', 'mod', 'download']],
  ['Gemfile.lock', ['bundle', 'install']],
];
