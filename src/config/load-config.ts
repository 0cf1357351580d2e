import { join, resolve } from 'node:path';
import { deepFreeze, type JsonObject } from '../kernel/json.ts';
import type { SandboxSettings } from '../process/sandbox/project-sandbox.ts';
import { childEnv } from './child-env.ts';
import {
  type ConfigFile,
  OWN_FILE,
  readConfigFile,
  readOwnFile,
  SHARED_FILE,
  STATE_FOLDER,
} from './config-file.ts';
import { envFileSecrets } from './env-files.ts';
import { type NotifySettings, notifySettings } from './notify.ts';
import { ownAgents } from './own-agents.ts';
import { type ProviderSettings, poolVariables, providerSettings } from './providers.ts';
import { loadRuntime, type RuntimeConfig } from './runtime/load.ts';
import { levelProblem, sandboxSettings } from './sandbox.ts';
import { secretNames, secretValues, unmaskingProblem } from './secrets.ts';
import { type Environment, processEnvironment } from './terminal.ts';
import { loadUserSettings, type UserSettings } from './user/settings.ts';

/** Everything a project and its environment decide, read once and frozen. */
export interface Config {
  readonly projectDir: string;
  /** Where sessions and settings live. */
  readonly stateDir: string;
  readonly commands: NonNullable<ConfigFile['commands']>;
  /** The file that each of them is in. */
  readonly commandFiles: { readonly [kind: string]: string };
  /** How long a started command may take. */
  readonly timeoutMinutes: number;
  /** The manifest that `run` uses when none is named. */
  readonly workflow?: string;
  /** Replaces or adds entries of a manifest's roster. */
  readonly workers: NonNullable<ConfigFile['workers']>;
  /** Names of the environment variables whose values are masked. */
  readonly secrets: readonly string[];
  readonly secretValues: readonly string[];
  /** All of it, of which each kind of child gets a part. */
  readonly childEnv: Environment;
  /** Variables that a kind of child gets beyond what every program needs. */
  readonly environment: NonNullable<ConfigFile['environment']>;
  readonly sandbox: SandboxSettings;
  readonly worktrees: WorktreeSettings;
  /** Ended sessions beyond these are removed after a run; nothing is when both are left out. */
  readonly retention: NonNullable<ConfigFile['retention']>;
  /** What a session may use where nobody says otherwise, and all of them together. */
  readonly budget: NonNullable<ConfigFile['budget']>;
  /** How long somebody is waited for who answers; absent: as long as somebody sits there. */
  readonly questions: NonNullable<ConfigFile['questions']>;
  /** Who is told when somebody has to know something. */
  readonly notify: NotifySettings;
  /** What models cost, in US dollars per million tokens. */
  readonly prices: NonNullable<ConfigFile['prices']>;
  /** Reports that commands write about their tests. */
  readonly reports: NonNullable<ConfigFile['reports']>;
  /** The settings of the backlog and its runtime. */
  readonly runtime: RuntimeConfig;
  /** Who can be asked for a model, with the keys that the environment holds. */
  readonly providers: readonly ProviderSettings[];
  /** What the person decides for all projects. */
  readonly user: UserSettings;
  /** What the project asks for and does not get, each with why. */
  readonly refused: readonly string[];
}

const DEFAULT_TIMEOUT_MINUTES = 30;

export function loadConfig(projectDir: string, env: Environment = processEnvironment()): Config {
  const dir = resolve(projectDir);
  const file = readConfigFile(dir);
  const user = loadUserSettings(env);
  const secrets = secretNames(env, { user: user.secrets, project: file.secrets ?? [] });
  return deepFreeze({
    projectDir: dir,
    stateDir: join(dir, STATE_FOLDER),
    commands: file.commands ?? {},
    commandFiles: commandFiles(dir, file),
    timeoutMinutes: file.timeoutMinutes ?? DEFAULT_TIMEOUT_MINUTES,
    ...(file.workflow === undefined ? {} : { workflow: file.workflow }),
    workers: file.workers ?? {},
    secrets,
    secretValues: [
      ...new Set([
        ...secretValues(env, secrets),
        ...envFileSecrets(dir),
        ...webhookSecret(file, env),
        ...keyValues(env, user),
      ]),
    ],
    childEnv: childEnv(env, poolVariables(user.providers)),
    providers: providerSettings(env, user.providers),
    environment: file.environment ?? {},
    sandbox: sandboxSettings(dir, file.sandbox, { env, floor: user.sandboxFloor }),
    worktrees: worktreeSettings(file.worktrees, env),
    retention: file.retention ?? {},
    budget: file.budget ?? {},
    prices: file.prices ?? {},
    reports: file.reports ?? [],
    questions: file.questions ?? {},
    notify: notifySettings(file.notify, env),
    runtime: loadRuntime(JSON.parse(JSON.stringify(file)) as JsonObject, env, {
      agents: ownAgents(dir).map(([name]) => name),
    }),
    user,
    refused: [
      ...unmaskingProblem(file.secrets ?? [], user.file),
      ...levelProblem(file.sandbox, { env, floor: user.sandboxFloor }),
    ],
  });
}

function commandFiles(dir: string, { commands = {} }: ConfigFile): { [kind: string]: string } {
  const own = readOwnFile(dir).commands ?? {};
  return Object.fromEntries(
    Object.keys(commands).map((kind) => [kind, kind in own ? OWN_FILE : SHARED_FILE]),
  );
}

/** What opens the address of notifications is masked like any other secret. */
function webhookSecret({ notify }: ConfigFile, env: Environment): string[] {
  const { secret } = notifySettings(notify, env).webhook ?? {};
  return secret?.value === undefined ? [] : [secret.value];
}

/** Whatever the variables are called that a person keeps them in. */
function keyValues(env: Environment, { providers }: UserSettings): string[] {
  return providerSettings(env, providers).flatMap(({ keys }) => keys.map(({ value }) => value));
}

type Configured = NonNullable<ConfigFile['worktrees']>;

/** How worktrees are made for a project, with nothing left out. */
interface WorktreeSettings {
  /** `LOCAL_WORKTREE_ROOT`: where they go instead of `.loopwright/worktrees`. */
  readonly root?: string;
  /** Run in a new worktree, in this order, until one fails. */
  readonly setup: NonNullable<Configured['setup']>;
  /** Run in a worktree before it is removed. */
  readonly teardown: NonNullable<Configured['teardown']>;
  /** Untracked files to bring along, such as `.env`; globs allowed. */
  readonly copy: readonly string[];
  /** Dependency folders to share with the checkout instead of installing them again. */
  readonly share: readonly string[];
  /** Nobody has said how a worktree gets its dependencies: the project is looked at. */
  readonly unsaid: boolean;
}

export function worktreeSettings(configured: Configured = {}, env: Environment = {}): WorktreeSettings {
  const root = env['LOCAL_WORKTREE_ROOT']?.trim() ?? '';
  const { setup = [], teardown = [], copy = [], share = [] } = configured;
  const unsaid = configured.setup === undefined && configured.share === undefined;
  return { ...(root === '' ? {} : { root }), setup, teardown, copy, share, unsaid };
}
