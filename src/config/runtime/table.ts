import { join } from 'node:path';
import { AGENT_NAMES } from '../../kernel/agent-names.ts';
import { REPOSITORY_MODES, REVIEWS, ROLES } from '../../kernel/runtime-words.ts';
import { perUserFolder } from '../../process/runtime-folder.ts';
import {
  agent,
  choice,
  commandRules,
  count,
  type Kind,
  list,
  onOff,
  positive,
  text,
  trueOrFalse,
} from './kind.ts';

/** One thing that a variable, a line of the configuration file or a flag can decide. */
export interface Setting<T> {
  /** The environment variable. */
  readonly variable: string;
  readonly kind: Kind<T>;
  readonly fallback: T;
  readonly meaning: string;
}

function setting<T>(variable: string, kind: Kind<T>, fallback: NoInfer<T>, meaning: string): Setting<T> {
  return { variable, kind, fallback, meaning };
}

/** Of each user: in one that all share, the first would lock out the others. */
export const TASK_LOCKS = join(perUserFolder(), 'task-locks');

const ROLE = choice(ROLES, { strict: true });
const MODE = choice(REPOSITORY_MODES, { aliases: { git: 'github', local: 'local-git' } });
const ALIASES = {
  claude_code: 'claude',
  claudecode: 'claude',
  'claude-code': 'claude',
  'codex-cli': 'codex',
  codex_cli: 'codex',
};
const EXECUTOR = agent(AGENT_NAMES, ALIASES);
const OR_INHERIT = agent([...AGENT_NAMES, 'inherit'], ALIASES);
const REVIEW = choice([...REVIEWS, 'inherit']);
const AUTOMATIC = choice(['off', 'fallback', 'contract', 'llm', 'hybrid'], {
  aliases: { disabled: 'off', safety: 'fallback' },
});

/**
 * Every setting of the runtime by section and name, as `.loopwright/config.json` has them: what is not in here
 * is not read.
 */
export const SETTINGS = {
  runtime: {
    id: setting('AGENT_ID', text, '', 'the name of this runtime; made from role and time when not set'),
    role: setting('AGENT_ROLE', ROLE, 'worker', 'what it works on: worker, tester or docser'),
    locks: setting(
      'LOOPWRIGHT_TASK_LOCK_DIR',
      text,
      TASK_LOCKS,
      'where the locks against double starts are; a folder of each user when not set',
    ),
    leaseSeconds: setting(
      'TASK_LEASE_SECONDS',
      positive,
      300,
      'how long a claimed task stays claimed without a sign of life',
    ),
    coolDownMs: setting(
      'FAILED_TASK_RETRY_COOLDOWN_MS',
      count(),
      30_000,
      'how long a failed task rests before it may be claimed again',
    ),
    reworkMs: setting(
      'BLOCKED_TASK_RETRY_COOLDOWN_MS',
      count(),
      120_000,
      'how long a task that needs rework rests before it is taken up again by itself, where its class allows',
    ),
    retries: setting(
      'FAILED_TASK_MAX_RETRY_COUNT',
      count(),
      6,
      'how often a task is tried again by itself, altogether; 0: never',
    ),
  },
  lanes: {
    worker: setting(
      'WORKER_LANE_MOST',
      count(),
      0,
      'how many tasks of the worker role run at once, on all machines; 0: any number',
    ),
    tester: setting('TESTER_LANE_MOST', count(), 0, 'how many of the tester role run at once; 0: any number'),
    docser: setting('DOCSER_LANE_MOST', count(), 1, 'how many of the docser role run at once; 0: any number'),
    areas: setting(
      'TASK_AREAS',
      list,
      [],
      'files of which only one task at a time may change any; each area is a list of patterns with spaces between them',
    ),
  },
  agents: {
    all: setting('LLM_EXECUTOR', EXECUTOR, 'codex', 'the agent that does the work'),
    worker: setting('WORKER_LLM_EXECUTOR', OR_INHERIT, 'inherit', 'the agent of the worker role'),
    tester: setting('TESTER_LLM_EXECUTOR', OR_INHERIT, 'inherit', 'the agent of the tester role'),
    docser: setting('DOCSER_LLM_EXECUTOR', OR_INHERIT, 'inherit', 'the agent of the docser role'),
  },
  review: {
    all: setting(
      'TASK_REVIEW',
      choice(REVIEWS),
      'person',
      'who looks at delivered work: person, or none, where work that a check has proven is done at once',
    ),
    worker: setting('WORKER_REVIEW', REVIEW, 'inherit', 'the same for the worker role'),
    tester: setting('TESTER_REVIEW', REVIEW, 'inherit', 'the same for the tester role'),
    docser: setting('DOCSER_REVIEW', REVIEW, 'inherit', 'the same for the docser role'),
  },
  models: {
    worker: setting('WORKER_MODEL', text, '', 'the model of the worker role'),
    tester: setting('TESTER_MODEL', text, '', 'the model of the tester role'),
    docser: setting('DOCSER_MODEL', text, '', 'the model of the docser role'),
    opencode: setting('OPENCODE_MODEL', text, '', 'the model of opencode where the role has none'),
    claude: setting('CLAUDE_CODE_MODEL', text, '', 'the model of claude where the role has none'),
    codex: setting('CODEX_MODEL', text, '', 'the model of codex where the role has none'),
  },
  repository: {
    mode: setting('REPO_MODE', MODE, 'github', 'github, local-git or direct'),
    url: setting('REPO_URL', text, '', 'the remote of github mode'),
    base: setting('BASE_BRANCH', text, 'main', 'the branch to start from'),
    path: setting(
      'LOCAL_REPO_PATH',
      text,
      '',
      'the repository or project of the other modes; this one when not set',
    ),
    worktrees: setting('LOCAL_WORKTREE_ROOT', text, '', 'where worktrees go'),
    workspace: setting('WORKSPACE_PATH', text, '', 'where github mode keeps its clones'),
    api: setting('GITHUB_API_URL', text, 'https://api.github.com', 'the address of the GitHub API'),
  },
  verify: {
    automatic: setting(
      'WORKER_AUTO_VERIFY_MODE',
      AUTOMATIC,
      'hybrid',
      'which commands are added to those of a task',
    ),
    automaticMost: setting('WORKER_AUTO_VERIFY_MAX_COMMANDS', count(), 4, 'how many are added at most'),
    contract: setting(
      'WORKER_VERIFY_CONTRACT_PATH',
      text,
      '.opentiger/verify.contract.json',
      'the contract file, relative to the repository; not set, .loopwright/verify.contract.json is read where the first is not there',
    ),
    noChangeRetries: setting(
      'WORKER_NO_CHANGE_RECOVERY_ATTEMPTS',
      count(),
      5,
      'how often a run that changed nothing is repeated',
    ),
    noChangeConfirm: setting(
      'WORKER_NO_CHANGE_CONFIRM_MODE',
      text,
      'verify',
      'off: a run that changed nothing is never a success',
    ),
    seconds: setting(
      'WORKER_VERIFY_COMMAND_TIMEOUT_SECONDS',
      positive,
      300,
      'how long a command that checks may run',
    ),
    repairs: setting('WORKER_VERIFY_RECOVERY_ATTEMPTS', count(), 5, 'how often a failed check is repaired'),
    repairExplicit: setting(
      'WORKER_VERIFY_RECOVERY_ALLOW_EXPLICIT',
      onOff,
      true,
      'repair failures of the commands that the task names',
    ),
    skipMissingScript: setting(
      'WORKER_VERIFY_SKIP_MISSING_EXPLICIT_SCRIPT',
      onOff,
      true,
      'skip a command of the task whose script is missing',
    ),
    skipInvalidAutomatic: setting(
      'WORKER_VERIFY_SKIP_INVALID_AUTO_COMMAND',
      onOff,
      true,
      'skip an automatic command that cannot be run',
    ),
    automaticNonBlocking: setting(
      'WORKER_VERIFY_AUTO_NON_BLOCKING_AFTER_EXPLICIT_PASS',
      onOff,
      true,
      'the last automatic command does not block once something has passed',
    ),
    inlineRecovery: setting(
      'WORKER_VERIFY_INLINE_COMMAND_RECOVERY',
      onOff,
      true,
      'replace a command that fails for its set-up or format',
    ),
    setupRecovery: setting(
      'WORKER_SETUP_IN_PROCESS_RECOVERY',
      onOff,
      true,
      'install what a command lacks, then run it again',
    ),
    inlineCandidates: setting(
      'WORKER_VERIFY_INLINE_COMMAND_RECOVERY_CANDIDATES',
      count({ least: 1, most: 8 }),
      3,
      'how many replacements are tried',
    ),
    strictFiles: setting(
      'WORKER_VERIFY_STRICT_EXPECTED_FILES',
      trueOrFalse,
      false,
      'an expected file that is missing fails the task',
    ),
    generated: setting('WORKER_EXTRA_GENERATED_PATHS', list, [], 'more paths that count as generated'),
    oldTests: setting(
      'WORKER_VERIFY_OLD_TESTS',
      choice(['changed', 'always', 'off']),
      'changed',
      'when the tests of the base are run on the new code: when a check was changed, always or never',
    ),
    fresh: setting(
      'WORKER_VERIFY_FRESH',
      choice(['needed', 'always', 'off']),
      'needed',
      'when the checks also run on a fresh checkout of the delivered files: when they may have used what is not delivered, always or never',
    ),
    suspicious: setting(
      'WORKER_VERIFY_SUSPICIOUS',
      choice(['judge', 'note']),
      'judge',
      'judge: a change that weakens a check waits for a person; note: it is only told',
    ),
  },
  policy: {
    askModel: setting(
      'WORKER_POLICY_RECOVERY_USE_LLM',
      onOff,
      true,
      'let a model decide about paths outside the policy',
    ),
    attempts: setting('WORKER_POLICY_RECOVERY_ATTEMPTS', count(), 5, 'how often a path violation is treated'),
    seconds: setting(
      'WORKER_POLICY_RECOVERY_TIMEOUT_SECONDS',
      positive,
      90,
      'how long the model may think about it',
    ),
    mode: setting(
      'POLICY_RECOVERY_MODE',
      choice(['conservative', 'balanced', 'aggressive']),
      'aggressive',
      'how readily paths are allowed without asking',
    ),
    deniedCommands: setting(
      'POLICY_DENIED_COMMANDS',
      list,
      ['rm -rf /', 'sudo', 'chmod 777'],
      'commands that are never run',
    ),
    discardAll: setting(
      'POLICY_RECOVERY_DISCARD_ALL',
      trueOrFalse,
      false,
      'undo every change outside the allowed paths that nothing else settled',
    ),
    commandRules: setting(
      'POLICY_RECOVERY_COMMAND_RULES',
      commandRules,
      [],
      'which files a command needs besides the known ones: a regular expression, "=>" and paths with spaces between them',
    ),
  },
  research: {
    judge: setting('RESEARCH_REQUIRE_JUDGE', trueOrFalse, false, 'a report waits for a judge'),
    reasks: setting(
      'RESEARCH_PARSE_REGEN_RETRIES',
      count(),
      2,
      'how often an unreadable answer is asked for again',
    ),
  },
};

type Table = typeof SETTINGS;

/** The value of every setting: `values.verify.repairs`. */
export type RuntimeValues = {
  readonly [S in keyof Table]: {
    readonly [N in keyof Table[S]]: Table[S][N] extends Setting<infer T> ? T : never;
  };
};

export type SettingValue = { [S in keyof Table]: RuntimeValues[S][keyof RuntimeValues[S]] }[keyof Table];
