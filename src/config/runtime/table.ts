import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Setting, SettingKind, SettingValue } from './setting.ts';

const on: SettingKind = { type: 'switch' };
const count: SettingKind = { type: 'count' };
const seconds: SettingKind = { type: 'number' };
const text: SettingKind = { type: 'text' };

const ROLES: SettingKind = { type: 'choice', choices: ['worker', 'tester', 'docser'], strict: true };
const MODES: SettingKind = {
  type: 'choice',
  choices: ['github', 'local-git', 'direct'],
  aliases: { git: 'github', local: 'local-git' },
};
const EXECUTORS: SettingKind = {
  type: 'choice',
  choices: ['claude', 'codex', 'opencode', 'gemini', 'scripted'],
  agents: true,
  aliases: {
    claude_code: 'claude',
    claudecode: 'claude',
    'claude-code': 'claude',
    'codex-cli': 'codex',
    codex_cli: 'codex',
  },
};
const OR_INHERIT: SettingKind = { ...EXECUTORS, choices: [...EXECUTORS.choices, 'inherit'] };
const AUTO: SettingKind = {
  type: 'choice',
  choices: ['off', 'fallback', 'contract', 'llm', 'hybrid'],
  aliases: { disabled: 'off', safety: 'fallback' },
};

function setting(
  variable: string,
  key: string,
  kind: SettingKind,
  fallback: SettingValue,
  meaning: string,
): Setting {
  return { variable, key, kind, fallback, meaning };
}

/** Every variable of the runtime with its default: what is not in here is not read. */
export const SETTINGS: readonly Setting[] = [
  setting(
    'AGENT_ID',
    'runtime.id',
    text,
    '',
    'the name of this runtime; made from role and time when not set',
  ),
  setting('AGENT_ROLE', 'runtime.role', ROLES, 'worker', 'what it works on: worker, tester or docser'),
  setting('LLM_EXECUTOR', 'agents.all', EXECUTORS, 'codex', 'the agent that does the work'),
  setting('WORKER_LLM_EXECUTOR', 'agents.worker', OR_INHERIT, 'inherit', 'the agent of the worker role'),
  setting('TESTER_LLM_EXECUTOR', 'agents.tester', OR_INHERIT, 'inherit', 'the agent of the tester role'),
  setting('DOCSER_LLM_EXECUTOR', 'agents.docser', OR_INHERIT, 'inherit', 'the agent of the docser role'),
  setting('WORKER_MODEL', 'models.worker', text, '', 'the model of the worker role'),
  setting('TESTER_MODEL', 'models.tester', text, '', 'the model of the tester role'),
  setting('DOCSER_MODEL', 'models.docser', text, '', 'the model of the docser role'),
  setting('OPENCODE_MODEL', 'models.opencode', text, '', 'the model of opencode where the role has none'),
  setting('CLAUDE_CODE_MODEL', 'models.claude', text, '', 'the model of claude where the role has none'),
  setting('CODEX_MODEL', 'models.codex', text, '', 'the model of codex where the role has none'),
  setting('REPO_MODE', 'repository.mode', MODES, 'github', 'github, local-git or direct'),
  setting('REPO_URL', 'repository.url', text, '', 'the remote of github mode'),
  setting('BASE_BRANCH', 'repository.base', text, 'main', 'the branch to start from'),
  setting(
    'LOCAL_REPO_PATH',
    'repository.path',
    text,
    '',
    'the repository or project of the other modes; this one when not set',
  ),
  setting('LOCAL_WORKTREE_ROOT', 'repository.worktrees', text, '', 'where worktrees go'),
  setting('WORKSPACE_PATH', 'repository.workspace', text, '', 'where github mode keeps its clones'),
  setting(
    'GITHUB_API_URL',
    'repository.api',
    text,
    'https://api.github.com',
    'the address of the GitHub API',
  ),
  setting(
    'WORKER_AUTO_VERIFY_MODE',
    'verify.automatic',
    AUTO,
    'hybrid',
    'which commands are added to those of a task',
  ),
  setting('WORKER_AUTO_VERIFY_MAX_COMMANDS', 'verify.automaticMost', count, 4, 'how many are added at most'),
  setting(
    'WORKER_VERIFY_CONTRACT_PATH',
    'verify.contract',
    text,
    '.opentiger/verify.contract.json',
    'the contract file, relative to the repository; not set, .loopwright/verify.contract.json is read where the first is not there',
  ),
  setting(
    'WORKER_NO_CHANGE_RECOVERY_ATTEMPTS',
    'verify.noChangeRetries',
    count,
    5,
    'how often a run that changed nothing is repeated',
  ),
  setting(
    'WORKER_NO_CHANGE_CONFIRM_MODE',
    'verify.noChangeConfirm',
    text,
    'verify',
    'off: a run that changed nothing is never a success',
  ),
  setting(
    'WORKER_VERIFY_COMMAND_TIMEOUT_SECONDS',
    'verify.seconds',
    seconds,
    300,
    'how long a command that checks may run',
  ),
  setting(
    'WORKER_VERIFY_RECOVERY_ATTEMPTS',
    'verify.repairs',
    count,
    5,
    'how often a failed check is repaired',
  ),
  setting(
    'WORKER_VERIFY_RECOVERY_ALLOW_EXPLICIT',
    'verify.repairExplicit',
    on,
    true,
    'repair failures of the commands that the task names',
  ),
  setting(
    'WORKER_VERIFY_SKIP_MISSING_EXPLICIT_SCRIPT',
    'verify.skipMissingScript',
    on,
    true,
    'skip a command of the task whose script is missing',
  ),
  setting(
    'WORKER_VERIFY_SKIP_INVALID_AUTO_COMMAND',
    'verify.skipInvalidAutomatic',
    on,
    true,
    'skip an automatic command that cannot be run',
  ),
  setting(
    'WORKER_VERIFY_AUTO_NON_BLOCKING_AFTER_EXPLICIT_PASS',
    'verify.automaticNonBlocking',
    on,
    true,
    'the last automatic command does not block once something has passed',
  ),
  setting(
    'WORKER_VERIFY_INLINE_COMMAND_RECOVERY',
    'verify.inlineRecovery',
    on,
    true,
    'replace a command that fails for its set-up or format',
  ),
  setting(
    'WORKER_VERIFY_INLINE_COMMAND_RECOVERY_CANDIDATES',
    'verify.inlineCandidates',
    { type: 'count', least: 1, most: 8 },
    3,
    'how many replacements are tried',
  ),
  setting(
    'WORKER_VERIFY_STRICT_EXPECTED_FILES',
    'verify.strictFiles',
    { type: 'choice', choices: ['true', 'false'] },
    'false',
    'an expected file that is missing fails the task',
  ),
  setting(
    'WORKER_EXTRA_GENERATED_PATHS',
    'verify.generated',
    { type: 'list' },
    [],
    'more paths that count as generated',
  ),
  setting(
    'WORKER_POLICY_RECOVERY_USE_LLM',
    'policy.askModel',
    on,
    true,
    'let a model decide about paths outside the policy',
  ),
  setting(
    'WORKER_POLICY_RECOVERY_ATTEMPTS',
    'policy.attempts',
    count,
    5,
    'how often a path violation is treated',
  ),
  setting(
    'WORKER_POLICY_RECOVERY_TIMEOUT_SECONDS',
    'policy.seconds',
    seconds,
    90,
    'how long the model may think about it',
  ),
  setting(
    'POLICY_RECOVERY_MODE',
    'policy.mode',
    { type: 'choice', choices: ['conservative', 'balanced', 'aggressive'] },
    'aggressive',
    'how readily paths are allowed without asking',
  ),
  setting(
    'POLICY_DENIED_COMMANDS',
    'policy.deniedCommands',
    { type: 'list' },
    ['rm -rf /', 'sudo', 'chmod 777'],
    'commands that are never run',
  ),
  setting(
    'LOOPWRIGHT_TASK_LOCK_DIR',
    'runtime.locks',
    text,
    join(tmpdir(), 'loopwright-task-locks'),
    'where the locks against double starts are',
  ),
  setting(
    'TASK_LEASE_SECONDS',
    'runtime.leaseSeconds',
    seconds,
    300,
    'how long a claimed task stays claimed without a sign of life',
  ),
  setting(
    'FAILED_TASK_RETRY_COOLDOWN_MS',
    'runtime.coolDownMs',
    count,
    30_000,
    'how long a failed task rests before it may be claimed again',
  ),
  setting(
    'RESEARCH_REQUIRE_JUDGE',
    'research.judge',
    { type: 'choice', choices: ['true', 'false'] },
    'false',
    'a report waits for a judge',
  ),
  setting(
    'RESEARCH_PARSE_REGEN_RETRIES',
    'research.reasks',
    count,
    2,
    'how often an unreadable answer is asked for again',
  ),
];
