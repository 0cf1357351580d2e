import { formatAdapterProblem } from '../../agents/definition/parse.ts';
import type { Config } from '../../config/load-config.ts';
import { type ActionInput, action } from '../../kernel/action.ts';
import { UsageError } from '../../kernel/errors.ts';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { TESTS_MAY_CHANGE } from '../../kernel/runtime-words.ts';
import type { Budget, WorkflowManifest } from '../../manifest/definition.ts';
import { BY_ENGINE } from '../../manifest/origin.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import { isStageWorkflow } from '../../manifest/stages/compile.ts';
import type { StageWorkflow } from '../../manifest/stages/definition.ts';
import { startNode } from '../../orchestrator/engine/prepare.ts';
import { Orchestrator } from '../../orchestrator/orchestrator.ts';
import type { WorkflowSource } from '../../orchestrator/state/record.ts';
import { NO_SANDBOX } from '../../process/sandbox/project-sandbox.ts';
import { checksUsedBy, type UsedCheck } from '../../workers/checks-used.ts';
import { TESTS_MAY_CHANGE as MAY_CHANGE_SEGMENT, PATHS_NAMED } from '../../workers/inspection-settings.ts';
import { excludeFromGit, excludeFromRepository } from '../../workspace/git/exclude.ts';
import { findRepository } from '../../workspace/git/repository.ts';
import { guardOf } from '../files/guard.ts';
import { inPlace, newWorktree, type SessionWorkspace } from '../files/session-workspace.ts';
import { maskedText } from '../masked.ts';
import { type OpenProject, withWorkers } from '../open.ts';
import { applyRetention } from '../upkeep/retention.ts';
import { countingNotes, requireBudgetHolds } from './budget-holds.ts';
import { patienceOf, type RunCompany, type RunningSession, startSession } from './handle.ts';
import { refuseInside } from './nested.ts';
import { pathRules, requirePaths } from './path-rules.ts';
import { checkAgents } from './preflight.ts';
import { prepareManifest } from './prepare-manifest.ts';
import { openedMeter } from './spend-meter.ts';
import { readWorkflow, type Workflow } from './workflow.ts';

export interface RunRequest extends RunCompany {
  /** The file of a manifest, the name of a shipped one, or the manifest itself. */
  readonly workflow?: string | WorkflowManifest | StageWorkflow;
  /** The node to start in; the first one of the manifest otherwise. */
  readonly start?: string;
  /** The agent that does the work, in place of everything in the workflow that could be one. */
  readonly agent?: string;
  /** Halt before every block. */
  readonly stepping?: boolean;
  readonly inputs?: JsonObject;
  readonly budget?: Budget;
  /** Work on the files of the project itself, without a worktree. */
  readonly inPlace?: boolean;
  /** Copy uncommitted changes of the checkout into the worktree. */
  readonly includeDirty?: boolean;
  /** The branch, tag or commit to start from; the current one otherwise. */
  readonly base?: string;
  /** What it means to change: files, folders or globs; it waits for others with the same. */
  readonly plan?: readonly string[];
  /** What it may change; an exact path also opens a protected file. None: everything that is not protected. */
  readonly allow?: readonly string[];
  /** What it must not change. */
  readonly deny?: readonly string[];
  /** Run no check on the untouched files before the work begins. */
  readonly noBaseline?: boolean;
  /** Who goes first among those that wait: the lower number. */
  readonly priority?: number;
  /** End instead of waiting for other sessions. */
  readonly noWait?: boolean;
  /** `may-change`: the goal is about tests, so changed and removed ones are told and nobody has to look. */
  readonly tests?: typeof TESTS_MAY_CHANGE;
  /** Called for what is odd about the project and stops nothing. */
  readonly onWarning?: (what: string) => void;
  /** Called when the preparation begins something that takes a while. */
  readonly onPreparing?: (what: string) => void;
}

/** Starts a workflow towards a goal in a new session. */
export async function run(
  plain: OpenProject,
  said: string,
  request: RunRequest = {},
): Promise<RunningSession> {
  refuseInside();
  if (said.trim() === '') {
    throw new UsageError('There is no goal.', { next: 'Say what is to be reached. Nothing was started.' });
  }
  requirePaths(request);
  const opened = withWorkers(plain, request.workers);
  const { project, config, services, sessions } = opened;
  const goal = maskedText(opened, said);
  for (const problem of opened.adapterProblems) request.onWarning?.(formatAdapterProblem(problem));
  for (const refused of config.refused) request.onWarning?.(refused);
  const workflow = readWorkflow(project, config.workflow, request.workflow);
  // Everything that can be wrong with the manifest is found before a worktree is made for it.
  const { manifest, warnings } = prepareManifest(workflow, opened, request.agent);
  const start = request.start ?? Object.keys(manifest.nodes)[0] ?? '';
  startNode(manifest, start);
  const budget = { ...sessionBudget(config), ...request.budget };
  requireBudgetHolds(manifest, { ...manifest.budget, ...budget }, opened);
  await checkAgents(manifest, opened);
  const id = sessions.newId();
  const guard = guardOf(opened, id);
  const meter = await openedMeter(config, id, { ...manifest.budget, ...budget });
  const checks = request.noBaseline ? [] : checksUsedBy(manifest);
  const files = await filesFor(opened, id, { ...request, goal }, checks).catch((error: unknown) =>
    meter.abandon(id, error),
  );
  const questionsMs = patienceOf(config, request);
  const patience = questionsMs === undefined ? {} : { questionsMs };
  const wall = await services.sandbox?.evidence();
  const orchestrator = new Orchestrator(manifest, {
    ...services,
    ...files.services,
    guard,
    spend: meter,
    ...patience,
    paths: pathRules(opened),
  });
  const { stepping = false, inputs = {}, allow = [], deny = [] } = request;
  const fromTop = files.fromTop ?? ((path: string) => path);
  const paths = { allow: allow.map(fromTop), deny: deny.map(fromTop) };
  return startSession(
    {
      opened,
      orchestrator,
      id,
      goal,
      workflow: workflow.name,
      warnings: warnings.map(({ message }) => message),
      notes: [
        ...countingNotes(manifest, opened),
        ...files.notes,
        ...(wall?.startsWith(NO_SANDBOX) ? [wall] : []),
      ],
      leftOut: files.leftOut ?? 0,
      questionsMs,
      mayUse: async () => (await meter.full()) === undefined,
      begin: (engine) =>
        engine.execute(start, {
          goal,
          inputs,
          sessionId: id,
          stepping,
          payload: [...files.payload, ...aboutChecks(request)],
          workflow: workflow.name,
          ...sourceOf(workflow, request.agent),
          ...(allow.length + deny.length === 0 ? {} : { paths }),
          ...(wall === undefined ? {} : { sandbox: wall }),
          budget,
        }),
      close: async (result) => {
        try {
          if (result === 'never-began') await files.undo();
          return await applyRetention(opened, { except: id });
        } finally {
          await meter.end(id);
          files.close();
        }
      },
    },
    request,
  );
}

/** What the configuration lets a session use; what all of them together may use is another matter. */
export function sessionBudget({ budget: { day: _day, project: _project, ...budget } }: Config): Budget {
  return budget;
}

/** Where the manifest can be read again; one that a program holds cannot. */
function sourceOf({ file }: Workflow, agent: string | undefined): { readonly source?: WorkflowSource } {
  if (file === '') return {};
  return { source: { file, ...(agent === undefined ? {} : { agent }) } };
}

/** What the person said about the checks is a fact for whoever looks at what became of them. */
function aboutChecks({ tests, allow = [] }: RunRequest): ContextSegment[] {
  const said = 'a person said that tests may change';
  return [
    ...(tests === TESTS_MAY_CHANGE
      ? [{ id: 'tests', type: MAY_CHANGE_SEGMENT, content: said, origin: BY_ENGINE }]
      : []),
    ...(allow.length > 0
      ? [{ id: 'named', type: PATHS_NAMED, content: { paths: [...allow] }, origin: BY_ENGINE }]
      : []),
  ];
}

/** Runs the stages of a file one after the other, the tasks of each side by side. */
export async function pipeline(
  opened: OpenProject,
  file: string,
  goal: string | undefined,
  request: Omit<RunRequest, 'workflow' | 'start'> = {},
): Promise<RunningSession> {
  const { document, name } = readWorkflow(opened.project, undefined, file);
  if (!isJsonObject(document) || !isStageWorkflow(document)) {
    throw new UsageError(`${name} is not a pipeline: it has no "stages".`, {
      next: action('run.start', 'It is a graph of blocks. Run it as a workflow', { workflow: file }),
    });
  }
  const fallback = typeof document['goal'] === 'string' ? document['goal'] : document['id'];
  const named = goal ?? (typeof fallback === 'string' ? fallback : name);
  return run(opened, named, { ...request, workflow: file });
}

/** A worktree of its own, unless the person or the folder says otherwise. */
async function filesFor(
  opened: OpenProject,
  id: string,
  request: RunRequest & { readonly goal: string },
  checks: readonly UsedCheck[],
): Promise<SessionWorkspace> {
  const { dir } = opened.project;
  if (request.inPlace) {
    await excludeFromGit(dir);
    return inPlace(dir, 'works in place: there are no checkpoints of the files');
  }
  const repo = await findRepository(dir);
  if (!repo) {
    return inPlace(dir, 'not a git repository, so it works in place: there are no checkpoints of the files');
  }
  await excludeFromRepository(repo);
  const { plan = [], priority, noWait = false, base, includeDirty, cancel, onPreparing } = request;
  return newWorktree(opened, repo, id, {
    plan,
    checks,
    noWait,
    again: againOf(request),
    ...(cancel === undefined ? {} : { cancel }),
    ...(onPreparing === undefined ? {} : { onPreparing }),
    ...(priority === undefined ? {} : { priority }),
    ...(base === undefined ? {} : { base }),
    ...(includeDirty === undefined ? {} : { includeDirty }),
  });
}

/** How the same is started once more, as far as a command line can say it. */
function againOf({ goal, workflow, agent }: RunRequest & { readonly goal: string }): ActionInput {
  return {
    goal,
    ...(typeof workflow === 'string' ? { workflow } : {}),
    ...(agent === undefined ? {} : { agent }),
  };
}
