import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { SandboxLevel } from '../process/sandbox/enclosure.ts';
import type { SandboxSettings } from '../process/sandbox/project-sandbox.ts';
import { type ConfigFile, STATE_FOLDER } from './config-file.ts';
import type { Environment } from './terminal.ts';

type Configured = NonNullable<ConfigFile['sandbox']>;

const LEVELS: readonly SandboxLevel[] = ['off', 'standard', 'strict'];

/** How the children of a project are kept in. What the person who runs us says in the environment comes first. */
export function sandboxSettings(
  projectDir: string,
  configured: Configured | undefined,
  env: Environment,
): SandboxSettings {
  const given = typeof configured === 'object' ? configured : {};
  const home = env['HOME'] ?? homedir();
  return {
    level: levelOf(configured, env),
    stateDir: join(projectDir, STATE_FOLDER),
    home,
    cacheDir: join(env['XDG_CACHE_HOME'] ?? join(home, '.cache'), 'loopwright', digestOf(projectDir)),
    gitDir: gitDirOf(projectDir),
    writable: (given.writable ?? []).map((path) => expanded(path, projectDir, home)),
    network: { agent: [], program: 'none', check: 'none', setup: 'host', ...given.network },
  };
}

function levelOf(configured: Configured | undefined, env: Environment): SandboxLevel {
  const said = env['LOOPWRIGHT_SANDBOX']?.trim().toLowerCase() ?? '';
  const chosen = LEVELS.find((level) => level === said);
  if (chosen !== undefined) return chosen;
  return (typeof configured === 'string' ? configured : configured?.level) ?? 'standard';
}

function digestOf(projectDir: string): string {
  return createHash('sha256').update(real(projectDir)).digest('hex').slice(0, 16);
}

/** The repository that a folder is in: nothing is started to find it, since this is known before anything is trusted. */
function gitDirOf(projectDir: string): string | undefined {
  for (let folder = resolve(projectDir); ; folder = dirname(folder)) {
    const git = join(folder, '.git');
    if (existsSync(git)) return statSync(git).isDirectory() ? git : commonDirOf(folder, git);
    if (dirname(folder) === folder) return undefined;
  }
}

/** Of a project that is itself a worktree. */
function commonDirOf(folder: string, file: string): string | undefined {
  const [, named] = /^gitdir: (.+)\n?$/.exec(readFileSync(file, 'utf8')) ?? [];
  if (named === undefined) return undefined;
  const admin = resolve(folder, named);
  const common = join(admin, 'commondir');
  return existsSync(common) ? resolve(admin, readFileSync(common, 'utf8').trim()) : admin;
}

function expanded(path: string, projectDir: string, home: string): string {
  return path.startsWith('~/') ? join(home, path.slice(2)) : resolve(projectDir, path);
}

function real(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}
