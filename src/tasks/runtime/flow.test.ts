import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Claim } from '../../backlog/scheduler.ts';
import { loadConfig } from '../../config/load-config.ts';
import { flowConfig } from '../../config/runtime/flow-config.ts';
import { loadRuntime } from '../../config/runtime/load.ts';
import { runtimeSettings } from '../../config/runtime/settings.ts';
import { compileManifest } from '../../manifest/compile.ts';
import type { ManifestBody } from '../../manifest/definition.ts';
import type { Repository } from '../../workspace/git/repository.ts';
import { inspectionOf } from '../prepare/inspection.ts';
import { flowFor, inputsFor } from './flow.ts';

const TASK: Claim['task'] = {
  id: 't1',
  title: 'A task',
  goal: 'Do it',
  kind: 'code',
  origin: 'person',
  role: 'tester',
  allowedPaths: ['src/**'],
  deniedPaths: ['src/secret/**'],
  expectedFiles: ['src/a.ts'],
  commands: ['npm test'],
  dependencies: [],
  priority: 0,
  agents: [],
  state: 'running',
  attempts: 1,
  quotaHits: 0,
  createdAt: 1,
  updatedAt: 1,
};

function claimOf(task: Partial<Claim['task']> = {}): Pick<Claim, 'task' | 'agents'> {
  return { task: { ...TASK, ...task }, agents: ['claude', 'codex'] };
}

function shipped(name: string): ManifestBody {
  const file = new URL(`../../../workflows/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as ManifestBody;
}

const settingsOf = (env: Record<string, string>) => runtimeSettings(loadRuntime({}, env), { now: 1 });
const inputs = (env: Record<string, string>, task: Partial<Claim['task']> = {}) =>
  inputsFor(claimOf(task), loadRuntime({}, env), 'direct', 'work well');

/** Everything that the settings say to a task's flow: what it is given, and what its placeholders become. */
function toldTo(env: Record<string, string>): string {
  const config = flowConfig(loadRuntime({}, env));
  const compiled = ['code-task', 'direct-task', 'research-task'].map(
    (name) => compileManifest(shipped(name), { config }).manifest,
  );
  const told = [inputs(env), compiled.map((manifest) => [manifest?.blocks, manifest?.workers])];
  return JSON.stringify([...told, toldToInspection(env)]);
}

/** How the checks are looked at is said by the project alone, and reaches the block as a service, not through the flow. */
function toldToInspection(env: Record<string, string>): object {
  const nowhere = join(tmpdir(), 'no-project-is-here');
  const config = loadConfig(nowhere, { ...env, XDG_CONFIG_HOME: nowhere });
  const repo: Repository = {
    dir: nowhere,
    top: nowhere,
    gitDir: nowhere,
    commonDir: nowhere,
    prefix: '',
    head: { kind: 'unborn', branch: 'main' },
    submodules: [],
  };
  const nothing = () => Promise.resolve('');
  const inspected = { id: 's', base: nothing, delivered: nothing, folder: nowhere };
  const { oldTests, fresh, onlyTold } = inspectionOf(config, repo, inspected);
  return { oldTests, fresh, onlyTold };
}

describe('what the settings say to verification', () => {
  it.each([
    ['WORKER_AUTO_VERIFY_MODE', 'contract', { autoVerifyMode: 'contract' }, { autoVerifyMode: 'hybrid' }],
    ['WORKER_AUTO_VERIFY_MAX_COMMANDS', '2', { autoVerifyMaxCommands: 2 }, { autoVerifyMaxCommands: 4 }],
    ['WORKER_VERIFY_COMMAND_TIMEOUT_SECONDS', '7', { commandTimeoutMs: 7000 }, { commandTimeoutMs: 300_000 }],
    ['WORKER_VERIFY_CONTRACT_PATH', 'c.json', { verifyContractPath: 'c.json' }, {}],
    ['WORKER_VERIFY_RECOVERY_ALLOW_EXPLICIT', 'false', { repairExplicit: false }, { repairExplicit: true }],
    [
      'WORKER_VERIFY_SKIP_MISSING_EXPLICIT_SCRIPT',
      'false',
      { skipMissingExplicitScript: false },
      { skipMissingExplicitScript: true },
    ],
    [
      'WORKER_VERIFY_SKIP_INVALID_AUTO_COMMAND',
      'false',
      { skipInvalidAutoCommand: false },
      { skipInvalidAutoCommand: true },
    ],
    [
      'WORKER_VERIFY_AUTO_NON_BLOCKING_AFTER_EXPLICIT_PASS',
      'false',
      { autoNonBlockingAfterExplicitPass: false },
      { autoNonBlockingAfterExplicitPass: true },
    ],
    [
      'WORKER_VERIFY_INLINE_COMMAND_RECOVERY',
      'false',
      { inlineCommandRecovery: false },
      { inlineCommandRecovery: true },
    ],
    [
      'WORKER_VERIFY_INLINE_COMMAND_RECOVERY_CANDIDATES',
      '1',
      { inlineCommandRecoveryCandidates: 1 },
      { inlineCommandRecoveryCandidates: 3 },
    ],
    ['WORKER_SETUP_IN_PROCESS_RECOVERY', 'false', { setupRecovery: false }, { setupRecovery: true }],
    ['POLICY_RECOVERY_DISCARD_ALL', 'true', { policyDiscardAll: true }, { policyDiscardAll: false }],
    [
      'POLICY_RECOVERY_COMMAND_RULES',
      '^zig => build.zig zig/, ^just => justfile',
      {
        policyCommandRules: [
          { pattern: '^zig', paths: ['build.zig', 'zig/'] },
          { pattern: '^just', paths: ['justfile'] },
        ],
      },
      { policyCommandRules: [] },
    ],
    ['POLICY_RECOVERY_COMMAND_RULES', '( => x', { policyCommandRules: [] }, { policyCommandRules: [] }],
    ['WORKER_NO_CHANGE_CONFIRM_MODE', 'Strict', { noChangeConfirm: false }, { noChangeConfirm: true }],
    [
      'WORKER_VERIFY_STRICT_EXPECTED_FILES',
      'true',
      { strictExpectedFiles: true },
      { strictExpectedFiles: false },
    ],
    [
      'WORKER_EXTRA_GENERATED_PATHS',
      'gen/**, out/**',
      { extraGeneratedPaths: ['gen/**', 'out/**'] },
      { extraGeneratedPaths: [] },
    ],
    [
      'POLICY_RECOVERY_MODE',
      'balanced',
      { policyRecoveryMode: 'balanced' },
      { policyRecoveryMode: 'aggressive' },
    ],
    [
      'WORKER_POLICY_RECOVERY_USE_LLM',
      'false',
      { policyRecoveryUseModel: false },
      { policyRecoveryUseModel: true },
    ],
    [
      'POLICY_DENIED_COMMANDS',
      'curl',
      { deniedCommands: ['curl'] },
      { deniedCommands: ['rm -rf /', 'sudo', 'chmod 777'] },
    ],
  ])('%s=%s', (variable, said, expected, otherwise) => {
    expect(inputs({ [variable]: said })['rules']).toMatchObject(expected);
    expect(inputs({})['rules']).toMatchObject(otherwise);
  });

  it('a contract file that nobody named is not named to verification either: it looks where it usually is', () => {
    expect(inputs({})['rules']).not.toHaveProperty('verifyContractPath');
  });

  it('no setting about checks, paths or research is read and then forgotten', () => {
    const other = new Map<string, string>([
      ['POLICY_RECOVERY_MODE', 'balanced'],
      ['WORKER_AUTO_VERIFY_MODE', 'off'],
      ['WORKER_NO_CHANGE_CONFIRM_MODE', 'off'],
      ['WORKER_VERIFY_OLD_TESTS', 'always'],
      ['POLICY_RECOVERY_COMMAND_RULES', '^zig => zig/'],
      ['WORKER_VERIFY_FRESH', 'always'],
      ['WORKER_VERIFY_SUSPICIOUS', 'note'],
    ]);
    const forgotten = loadRuntime({}, {})
      .all.filter(({ setting }) => /^(verify|policy|research)\./.test(setting.key))
      // Says who ends a research job, not how it is done: the runtime reads it.
      .filter(({ setting }) => setting.key !== 'research.judge')
      .filter(({ setting: { variable, fallback } }) => {
        const said =
          other.get(variable) ??
          (typeof fallback === 'boolean' ? String(!fallback) : `${Number(fallback) + 1}`);
        return toldTo({ [variable]: said === 'NaN' ? 'something' : said }) === toldTo({});
      });
    expect(forgotten.map(({ setting }) => setting.key)).toEqual([]);
  });
});

describe('the flow of a task', () => {
  it('is played by the agents of the claim, with the model of the role', () => {
    const { workers } = flowFor(shipped('code-task'), claimOf(), settingsOf({ TESTER_MODEL: 'm' }));
    for (const entry of Object.values(workers ?? {})) {
      expect(entry).toMatchObject({ agents: ['claude', 'codex'], model: 'm' });
    }
    const without = flowFor(shipped('code-task'), claimOf(), settingsOf({ WORKER_MODEL: 'm' }));
    expect(without.workers?.['Coder']).not.toHaveProperty('model');
  });

  it.each([
    [undefined, 30],
    [12, 12],
    [0.2, 1],
    [90, 30],
  ])(
    'a timebox of %s minutes gives its workers %i, but not those with a time of their own',
    (said, minutes) => {
      const task = said === undefined ? {} : { timeboxMinutes: said };
      const { workers } = flowFor(shipped('code-task'), claimOf(task), settingsOf({}));
      expect(workers?.['Coder']?.minutes).toBe(minutes);
      expect(workers?.['CheckPlanner']?.minutes).toBe(2);
      expect(workers?.['PolicyJudge']?.minutes).toBe('{{config.policy.minutes}}');
    },
  );

  it('has the budget of the task over its own', () => {
    const document = { ...shipped('code-task'), budget: { steps: 9, usd: 1 } };
    expect(flowFor(document, claimOf({ budget: { usd: 3 } }), settingsOf({})).budget).toEqual({
      steps: 9,
      usd: 3,
    });
    expect(flowFor(document, claimOf(), settingsOf({})).budget).toEqual({ steps: 9, usd: 1 });
  });

  it('is told the facts of its task, and nothing that the task could have made up', () => {
    expect(inputs({}, { context: { verifyOnly: true, other: 1 } })).toEqual({
      instructions: 'work well',
      rules: expect.any(Object) as object,
      task: {
        id: 't1',
        title: 'A task',
        goal: 'Do it',
        origin: 'person',
        role: 'tester',
        mode: 'direct',
        allowedPaths: ['src/**'],
        deniedPaths: ['src/secret/**'],
        expectedFiles: ['src/a.ts'],
        commands: ['npm test'],
        testsMayChange: false,
        redGreen: false,
        verifyOnly: true,
      },
    });
    expect(inputs({})['task']).toMatchObject({ verifyOnly: false });
  });

  it('holds the text of strangers to the narrowest rules, unless somebody chose others', () => {
    const mode = (settings: Parameters<typeof loadRuntime>[0], origin: Claim['task']['origin']) =>
      inputsFor({ task: { ...TASK, origin } }, loadRuntime(settings, {}), 'direct', '')['rules'];
    expect(mode({}, 'imported')).toMatchObject({ policyRecoveryMode: 'conservative' });
    expect(mode({}, 'person')).toMatchObject({ policyRecoveryMode: 'aggressive' });
    expect(mode({ policy: { mode: 'balanced' } }, 'imported')).toMatchObject({
      policyRecoveryMode: 'balanced',
    });
  });

  it('names no block and no worker of a flow: a copy may call them what it likes', () => {
    const source = readFileSync(new URL('./flow.ts', import.meta.url), 'utf8');
    const names = ['code-task', 'direct-task', 'research-task'].flatMap((name) => {
      const { nodes, workers = {} } = shipped(name);
      const blocks = Object.values(nodes).flatMap((node) => Object.keys(node.blocks));
      return [...Object.keys(nodes), ...blocks, ...Object.keys(workers)];
    });
    expect(names.filter((name) => new RegExp(`['"\`.]${name}\\b|__${name}`).test(source))).toEqual([]);
  });

  it('can name settings, but no secret and nothing else of the environment', () => {
    const env = { AGENT_ID: 'ann', REPO_URL: 'https://user:pass@example.com/a.git', GITHUB_TOKEN: 't0ken' };
    const told = JSON.stringify(flowConfig(loadRuntime({}, env)));
    for (const value of Object.values(env)) expect(told).not.toContain(value);
    expect(flowConfig(loadRuntime({}, {}))).toMatchObject({
      verify: { repairs: 5, noChangeRetries: 5 },
      policy: { attempts: 5, minutes: 1.5 },
      research: { asks: 3 },
    });
  });
});
