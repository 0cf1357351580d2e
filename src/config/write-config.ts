import { randomBytes } from 'node:crypto';
import { link, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../kernel/errors.ts';
import { isJsonObject, type JsonValue } from '../kernel/json.ts';
import { type ConfigFile, configFile, configPath, readOwnFile } from './config-file.ts';
import type { DetectedCommands } from './detect.ts';
import type { FoundWorktrees } from './detect-worktrees.ts';
import { parseSettings } from './settings-file.ts';

/** Writes down what was detected. An existing file is only replaced when told to, and keeps its other settings. */
export async function writeConfig(
  projectDir: string,
  detected: DetectedCommands,
  options: { readonly overwrite?: boolean; readonly worktrees?: FoundWorktrees | undefined } = {},
): Promise<{ readonly path: string; readonly written: boolean }> {
  const path = configPath(projectDir);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const before = options.overwrite ? kept(projectDir) : {};
  const settings = { ...before, commands: commandsOf(detected), ...worktreesOf(before, options.worktrees) };
  try {
    await writeFile(temporary, `${JSON.stringify(settings, null, 2)}\n`, { flag: 'wx' });
    if (options.overwrite) await rename(temporary, path);
    // Unlike renaming, linking fails when the name is taken, even when somebody takes it this instant.
    else await link(temporary, path);
    return { path, written: true };
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return { path, written: false };
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Writes down which agent does the work; everything else of the file stays as it is. */
export async function setAgent(projectDir: string, agent: string): Promise<string> {
  const path = configPath(projectDir);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const { agents = {}, workers = {}, ...rest } = readOwnFile(projectDir);
  const settings = {
    ...rest,
    agents: { ...agents, all: agent },
    workers: { ...workers, Coder: { ...workers['Coder'], agent } },
  };
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, `${JSON.stringify(settings, null, 2)}\n`, { flag: 'wx' });
    await rename(temporary, path);
    return path;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Writes one setting, such as `agents.all`; null takes it out. What would not be understood is refused. */
export async function setOwnSetting(projectDir: string, key: string, value: JsonValue): Promise<string> {
  const path = configPath(projectDir);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const [group = '', name] = key.split('.');
  const before: { readonly [name: string]: unknown } = readOwnFile(projectDir);
  const inner = { ...(isJsonObject(before[group]) ? before[group] : {}), [name ?? '']: value ?? undefined };
  const wanted = { ...before, [group]: name === undefined ? (value ?? undefined) : inner };
  const settings = parseSettings(path, JSON.stringify(wanted), {
    shape: configFile,
    next: 'Nothing was written.',
  });
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, `${JSON.stringify(settings, null, 2)}\n`, { flag: 'wx' });
    await rename(temporary, path);
    return path;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** A file that cannot be read has nothing worth keeping: replacing it is what the caller asked for. */
function kept(projectDir: string): ConfigFile {
  try {
    return readOwnFile(projectDir);
  } catch {
    return {};
  }
}

/** What a person said about worktrees stays. */
function worktreesOf({ worktrees = {} }: ConfigFile, found: FoundWorktrees | undefined): ConfigFile {
  if (!found || worktrees.setup !== undefined || worktrees.share !== undefined) return {};
  const said =
    'share' in found ? { share: [...found.share] } : { setup: found.setup.map((line) => [...line]) };
  return { worktrees: { ...worktrees, ...said } };
}

function commandsOf(detected: DetectedCommands): { [kind: string]: readonly string[] } {
  const found = Object.entries(detected).map(([kind, { command }]) => [kind, command] as const);
  return Object.fromEntries(found);
}
