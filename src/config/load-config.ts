import { join, resolve } from 'node:path';
import { deepFreeze, type JsonObject } from '../kernel/json.ts';
import { childEnv } from './child-env.ts';
import { type ConfigFile, readConfigFile, STATE_FOLDER } from './config-file.ts';
import { ownAgents } from './own-agents.ts';
import { loadRuntime, type RuntimeConfig } from './runtime/load.ts';
import { secretNames, secretValues } from './secrets.ts';
import { type Environment, processEnvironment } from './terminal.ts';
import { type WorktreeSettings, worktreeSettings } from './worktree-settings.ts';

/** Everything a project and its environment decide, read once and frozen. */
export interface Config {
  readonly projectDir: string;
  /** Where sessions and settings live. */
  readonly stateDir: string;
  readonly commands: NonNullable<ConfigFile['commands']>;
  /** How long a started command may take. */
  readonly timeoutMinutes: number;
  /** The manifest that `run` uses when none is named. */
  readonly workflow?: string;
  /** Replaces or adds entries of a manifest's roster. */
  readonly workers: NonNullable<ConfigFile['workers']>;
  /** Names of the environment variables whose values are masked. */
  readonly secrets: readonly string[];
  readonly secretValues: readonly string[];
  readonly childEnv: Environment;
  readonly worktrees: WorktreeSettings;
  /** Ended sessions beyond these are removed after a run; nothing is when both are left out. */
  readonly retention: NonNullable<ConfigFile['retention']>;
  /** The settings of the backlog and its runtime. */
  readonly runtime: RuntimeConfig;
}

const DEFAULT_TIMEOUT_MINUTES = 30;

export function loadConfig(projectDir: string, env: Environment = processEnvironment()): Config {
  const dir = resolve(projectDir);
  const file = readConfigFile(dir);
  const secrets = secretNames(env, file.secrets ?? []);
  return deepFreeze({
    projectDir: dir,
    stateDir: join(dir, STATE_FOLDER),
    commands: file.commands ?? {},
    timeoutMinutes: file.timeoutMinutes ?? DEFAULT_TIMEOUT_MINUTES,
    ...(file.workflow === undefined ? {} : { workflow: file.workflow }),
    workers: file.workers ?? {},
    secrets,
    secretValues: secretValues(env, secrets),
    childEnv: childEnv(env),
    worktrees: worktreeSettings(file.worktrees, env),
    retention: file.retention ?? {},
    runtime: loadRuntime(JSON.parse(JSON.stringify(file)) as JsonObject, env, {
      agents: ownAgents(dir).map(([name]) => name),
    }),
  });
}
