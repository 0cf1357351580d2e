import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Task } from '../../backlog/task.ts';
import type { RuntimeConfig } from '../../config/runtime/load.ts';
import { type RepositoryMode, type RuntimeSettings, runtimeSettings } from '../../config/runtime/settings.ts';
import { processEnvironment } from '../../config/terminal.ts';
import { action } from '../../kernel/action.ts';
import { UsageError } from '../../kernel/errors.ts';
import type { ManifestBody } from '../../manifest/definition.ts';
import { openStore, type Store } from '../../store/open.ts';
import { claimMark, guardClaim } from '../../tasks/lock/guard-claim.ts';
import { takeLock } from '../../tasks/lock/lock.ts';
import { prepareFor } from '../../tasks/prepare/prepare-for.ts';
import type { PrepareOptions } from '../../tasks/prepare/prepared.ts';
import type { TaskRuntime, TaskRuntimeEvent } from '../../tasks/run-task.ts';
import { requireAgents } from '../../tasks/runtime/require-agents.ts';
import { roleInstructions } from '../../tasks/runtime/role-instructions.ts';
import { taskChecks } from '../../tasks/runtime/task-checks.ts';
import { adaptersOf } from '../../workers/services.ts';
import { prefixIn } from '../../workspace/git/prefix.ts';
import { forgetEnded } from '../files/turns.ts';
import type { OpenProject } from '../open.ts';
import { requireTaskBudgetHolds } from '../runs/budget-holds.ts';
import { capsOf, SpendMeter, waitWords } from '../runs/spend-meter.ts';
import { sessionBudget } from '../runs/start.ts';
import { readWorkflow } from '../runs/workflow.ts';

export interface OpenRuntime {
  readonly opened: OpenProject;
  readonly store: Store;
  readonly settings: RuntimeSettings;
  /** Why it works in this mode, where nobody said so. */
  readonly modeWhy?: string | undefined;
}

/** The backlog of a project and the settings of its runtime. */
export function openRuntime(
  opened: OpenProject,
  flags: { readonly role?: string | undefined } = {},
): OpenRuntime {
  const { runtime } = opened.config;
  // A role that is given makes the configured one irrelevant.
  const errors = runtime.errors.filter(({ key }) => flags.role === undefined || key !== 'runtime.role');
  if (errors.length > 0)
    throw new UsageError(errors.map(({ message }) => message).join(' '), {
      next: action('config.show', 'See every setting'),
    });
  const index = processEnvironment()['WORKER_INDEX'];
  const read = runtimeSettings(runtime, { index, now: Date.now() });
  const { mode, why } = modeFor(opened, read.repository);
  const settings = { ...read, repository: { ...read.repository, mode } };
  const { coolDownMs, reworkMs, mostRetries } = settings;
  const prefix = prefixIn(opened.project.dir);
  return {
    opened,
    settings,
    modeWhy: why,
    store: openStore(opened.config.stateDir, { coolDownMs, reworkMs, mostRetries, prefix }),
  };
}

/** What a person set holds; otherwise what the project is decides. */
function modeFor(
  { project, config }: OpenProject,
  { mode, url, path }: RuntimeSettings['repository'],
): { readonly mode: RepositoryMode; readonly why?: string } {
  const isSet = isSaid(config.runtime, 'repository.mode');
  if (isSet) return { mode };
  const unset = 'REPO_MODE is not set';
  if (url.trim() !== '') return { mode: 'github', why: `${unset}, and REPO_URL is` };
  const dir = path === '' ? project.dir : resolve(project.dir, path);
  if (isInRepository(dir)) return { mode: 'local-git', why: `${unset}, and this is a git repository` };
  return { mode: 'direct', why: `${unset}, and this is no git repository` };
}

/** Whether somebody said something about a setting. */
export function isSaid({ all }: RuntimeConfig, key: string): boolean {
  return all.some(({ setting, said }) => setting.key === key && said);
}

export function isInRepository(dir: string): boolean {
  const parent = dirname(dir);
  return existsSync(join(dir, '.git')) || (parent !== dir && isInRepository(parent));
}

/** Everything a task is run with in this project. */
export function taskRuntime(
  { opened, settings, store }: OpenRuntime,
  tell: (event: TaskRuntimeEvent) => void,
): TaskRuntime {
  const { project, config, services } = opened;
  const { scheduler, runtimes, backlog, findings } = store;
  const meter = new SpendMeter(store, capsOf(config.budget));
  return {
    settings,
    config: config.runtime,
    projectDir: project.dir,
    scheduler,
    runtimes,
    sessions: services.sessions,
    services: { ...services, spend: meter, ...patienceIn(config.questions) },
    lock: (claim) => {
      const { task, takenFrom } = claim;
      const lost = takenFrom ? { lost: takenFrom.owner } : {};
      return takeLock(settings.locks, task.id, { ...lost, mark: claimMark(claim) });
    },
    guard: (claim, held) => guardClaim({ scheduler, locks: settings.locks, me: settings.id }, claim, held),
    prepare: (claim, cancel) => {
      const mode = claim.task.mode ?? settings.repository.mode;
      const checks: PrepareOptions['checks'] = (of, folder) =>
        taskChecks(config, flowDocument(opened, of.task, mode), of, { mode, folder });
      const { repository } = settings;
      const checkTimeoutMs = config.runtime.values.verify.seconds * 1000;
      return prepareFor(mode, { config, repository, checks, checkTimeoutMs })(claim, cancel);
    },
    requireAgents: requireAgents(adaptersOf(services), {
      projectDir: project.dir,
      env: config.childEnv,
      ownPrograms: services.ownPrograms,
    }),
    requireBudget: ({ task, agents }) => {
      const model = settings.models[task.role];
      const budget = { ...sessionBudget(config), ...task.budget };
      requireTaskBudgetHolds({ agents, model, budget }, opened);
    },
    spending: {
      full: async () => {
        const reached = await meter.full();
        return reached && waitWords(reached);
      },
      begin: async (task) => {
        const budget = { ...sessionBudget(config), ...task.budget };
        const reached = await meter.begin(task.id, budget);
        return reached && waitWords(reached);
      },
      end: (task) => meter.release(task.id),
    },
    flow: (task) => {
      const document = flowDocument(opened, task, task.mode ?? settings.repository.mode);
      return { ...document, budget: { ...document.budget, ...sessionBudget(config) } };
    },
    instructions: (task) => roleInstructions(project.dir, task.role),
    research: {
      findings,
      folder: join(config.stateDir, 'research'),
      judge: settings.research.judge,
    },
    earlierFailures: (task) => backlog.earlierFailures(task.id),
    remember: (task, allowedPaths) => backlog.edit(task.id, { allowedPaths }),
    // One that is not stored yet is being made, or is forgotten by the next session.
    tidy: () => forgetEnded(store.plans, services.sessions, () => true),
    tell,
  };
}

/** A runtime has nobody in front of it, but people who look in: it gives up only where the configuration says so. */
function patienceIn({ minutes }: OpenProject['config']['questions']): { readonly questionsMs?: number } {
  return minutes === undefined ? {} : { questionsMs: minutes * 60_000 };
}

/** A flow of the project's own, `.loopwright/flows/<name>.json`, wins over the shipped one. */
function flowDocument({ project }: OpenProject, task: Task, mode: string): ManifestBody {
  const name = task.kind === 'research' ? 'research-task' : mode === 'direct' ? 'direct-task' : 'code-task';
  const own = join(project.folder, 'flows', `${name}.json`);
  return readWorkflow(project, undefined, existsSync(own) ? own : name).document as ManifestBody;
}
