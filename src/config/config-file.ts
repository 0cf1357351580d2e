import { join } from 'node:path';
import * as z from 'zod';
import { type Action, action } from '../kernel/action.ts';
import { errorMessage, LoopwrightError, UsageError } from '../kernel/errors.ts';
import { isJsonObject } from '../kernel/json.ts';
import { readPlainIfThere } from '../process/plain-file.ts';
import { SANDBOX_LEVELS } from '../process/sandbox/enclosure.ts';
import { notifyShape } from './notify.ts';
import { parseSettings } from './settings-file.ts';
import { strictObject } from './strict-object.ts';

export const STATE_FOLDER = '.loopwright';

/** What everybody who works on the project shares: it is committed, `.loopwright/` is not. */
export const SHARED_FILE = 'loopwright.json';
export const OWN_FILE = `${STATE_FOLDER}/config.json`;

export function configPath(projectDir: string): string {
  return join(projectDir, STATE_FOLDER, 'config.json');
}

const text = z.string().min(1);
const command = z.union([text, z.array(text).min(1)], { error: 'must be a text or a list of texts' });
const commands = strictObject({
  test: command.exactOptional(),
  lint: command.exactOptional(),
  build: command.exactOptional(),
});
/** The same shape as an entry of a manifest's roster. */
const worker = strictObject({
  persona: z.string().exactOptional(),
  command: z.array(text).min(1).exactOptional(),
  agent: text.exactOptional(),
  agents: z.array(text).min(1).exactOptional(),
  mode: z.enum(['headless', 'interactive']).exactOptional(),
  model: text.exactOptional(),
  models: z.array(text).min(1).exactOptional(),
  permissions: z.enum(['read', 'ask', 'edits', 'all']).exactOptional(),
  extraArgs: z.array(z.string()).exactOptional(),
  env: z.record(text, z.string()).exactOptional(),
  maxTurns: z.int().min(1).exactOptional(),
  maxTokens: z.int().min(1).exactOptional(),
  maxUsd: z.number().positive().exactOptional(),
  minutes: z.number().positive().exactOptional(),
  silenceMinutes: z.number().positive().exactOptional(),
  onTimeLimit: z.enum(['fail', 'signal']).exactOptional(),
  conversation: z.enum(['continue', 'fresh']).exactOptional(),
});

const amount = z.number().nonnegative();
const price = strictObject({ input: amount, output: amount, cached: amount.exactOptional() });
/** What all sessions together may use. */
const cap = strictObject({
  usd: amount.exactOptional(),
  tokens: amount.exactOptional(),
  runs: z.int().nonnegative().exactOptional(),
});
const budget = strictObject({
  steps: z.int().nonnegative().exactOptional(),
  tokens: z.int().nonnegative().exactOptional(),
  usd: amount.exactOptional(),
  minutes: amount.exactOptional(),
  day: cap.exactOptional(),
  project: cap.exactOptional(),
});

const questions = strictObject({ minutes: amount.exactOptional() });

const worktrees = strictObject({
  setup: z.array(command).exactOptional(),
  teardown: z.array(command).exactOptional(),
  copy: z.array(text).exactOptional(),
  share: z.array(text).exactOptional(),
});

const network = z.union([z.enum(['host', 'none']), z.array(text)], {
  error: 'must be "host", "none" or a list of hosts',
});
const level = z.enum(SANDBOX_LEVELS);
const sandbox = strictObject({
  level: level.exactOptional(),
  network: strictObject({
    agent: network.exactOptional(),
    check: network.exactOptional(),
    setup: network.exactOptional(),
    program: network.exactOptional(),
  }).exactOptional(),
  writable: z.array(text).exactOptional(),
});

/** Variables that children get beyond what every program needs. */
const environment = strictObject({
  agent: z.array(text).exactOptional(),
  check: z.array(text).exactOptional(),
  setup: z.array(text).exactOptional(),
  program: z.array(text).exactOptional(),
});

/** Which ended sessions are kept; without a limit, all of them. */
const retention = strictObject({
  days: z.number().nonnegative().exactOptional(),
  count: z.number().int().nonnegative().exactOptional(),
});

/** Reports that commands of the project write about their tests. */
const report = strictObject({
  command: text,
  format: z.enum(['junit', 'tap', 'jest', 'vitest', 'mocha', 'go', 'cargo']),
  file: text,
});

/** Read by the runtime, setting by setting, so that one mistake does not take the others along. */
const section = z.record(z.string(), z.json()).exactOptional();

export const configFile = strictObject({
  $schema: z.string().exactOptional(),
  commands: commands.exactOptional(),
  timeoutMinutes: z.number().positive().exactOptional(),
  workflow: text.exactOptional(),
  workers: z.record(text, worker).exactOptional(),
  secrets: z.array(text).exactOptional(),
  worktrees: worktrees.exactOptional(),
  sandbox: z.union([level, sandbox]).exactOptional(),
  environment: environment.exactOptional(),
  retention: retention.exactOptional(),
  budget: budget.exactOptional(),
  prices: z.record(text, price).exactOptional(),
  reports: z.array(report).exactOptional(),
  questions: questions.exactOptional(),
  notify: notifyShape.exactOptional(),
  runtime: section,
  agents: section,
  models: section,
  repository: section,
  verify: section,
  policy: section,
  research: section,
});

export type ConfigFile = z.infer<typeof configFile>;

/** What `loopwright.json` says, and over it `.loopwright/config.json`, setting by setting. */
export function readConfigFile(projectDir: string): ConfigFile {
  return withOwn(readSharedFile(projectDir), readOwnFile(projectDir));
}

/** What `.loopwright/config.json` says; a project without one says nothing. */
export function readOwnFile(projectDir: string): ConfigFile {
  const next = action('project.init', 'Correct it, or have it written again', { force: true });
  return readOne(configPath(projectDir), next);
}

/** What the project's `loopwright.json` says. */
export function readSharedFile(projectDir: string): ConfigFile {
  return readOne(join(projectDir, SHARED_FILE), 'Correct it, or remove it.');
}

function readOne(file: string, next: string | Action): ConfigFile {
  const content = readIfThere(file);
  return content === undefined ? {} : parseSettings(file, content, { shape: configFile, next });
}

/** Groups of settings are merged, everything else is replaced: one own command leaves the others shared. */
function withOwn(shared: ConfigFile, own: ConfigFile): ConfigFile {
  const groups = Object.entries(own).map(([key, value]): [string, unknown] => {
    const other = Object.entries(shared).find(([name]) => name === key)?.[1];
    return [key, isJsonObject(value) && isJsonObject(other) ? { ...other, ...value } : value];
  });
  return configFile.parse({ ...shared, ...Object.fromEntries(groups) });
}

function readIfThere(file: string): string | undefined {
  try {
    return readPlainIfThere(file);
  } catch (error) {
    if (error instanceof LoopwrightError) throw error;
    throw new UsageError(`${file} cannot be read: ${errorMessage(error)}`, {
      next: 'Make it a readable file, or remove it.',
      cause: error,
    });
  }
}
