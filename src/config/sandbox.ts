import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SANDBOX_LEVELS, type SandboxLevel } from '../process/sandbox/enclosure.ts';
import type { SandboxSettings } from '../process/sandbox/project-sandbox.ts';
import { type ConfigFile, STATE_FOLDER } from './config-file.ts';
import type { Environment } from './terminal.ts';
import { homeOf } from './user/folder.ts';

type Configured = NonNullable<ConfigFile['sandbox']>;

/** What the person who runs us says, which no project can go below. */
interface Person {
  readonly env: Environment;
  /** The least that a project may ask for. */
  readonly floor: SandboxLevel;
}

/** How the children of a project are kept in. What the person who runs us says in the environment comes first. */
export function sandboxSettings(
  projectDir: string,
  configured: Configured | undefined,
  person: Person,
): SandboxSettings {
  const { env } = person;
  const given = typeof configured === 'object' ? configured : {};
  const home = homeOf(env);
  return {
    level: levelOf(configured, person),
    stateDir: join(projectDir, STATE_FOLDER),
    home,
    cacheDir: join(env['XDG_CACHE_HOME'] ?? join(home, '.cache'), 'loopwright', digestOf(projectDir)),
    gitDir: gitDirOf(projectDir),
    writable: (given.writable ?? []).map((path) => expanded(path, projectDir, home)),
    network: { agent: [], program: 'none', check: 'none', setup: 'host', ...given.network },
  };
}

function levelOf(configured: Configured | undefined, { env, floor }: Person): SandboxLevel {
  return levelInEnvironment(env) ?? stricter(levelAskedFor(configured) ?? 'standard', floor);
}

/** That a project asks for less than the person allows, in words; nothing where it does not. */
export function levelProblem(configured: Configured | undefined, { env, floor }: Person): string[] {
  const asked = levelAskedFor(configured);
  if (asked === undefined || levelInEnvironment(env) !== undefined || stricter(asked, floor) === asked)
    return [];
  return [
    `The project asks for the sandbox "${asked}"; "${floor}" is used, since you allow no less (sandboxFloor in your own settings, or LOOPWRIGHT_SANDBOX).`,
  ];
}

function levelInEnvironment(env: Environment): SandboxLevel | undefined {
  const said = env['LOOPWRIGHT_SANDBOX']?.trim().toLowerCase() ?? '';
  return SANDBOX_LEVELS.find((level) => level === said);
}

function levelAskedFor(configured: Configured | undefined): SandboxLevel | undefined {
  return typeof configured === 'string' ? configured : configured?.level;
}

function stricter(one: SandboxLevel, other: SandboxLevel): SandboxLevel {
  return SANDBOX_LEVELS.indexOf(one) >= SANDBOX_LEVELS.indexOf(other) ? one : other;
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
