import { formatAdapterProblem } from '../../agents/definition/parse.ts';
import { oneLine } from '../../kernel/words.ts';
import { Orchestrator } from '../../orchestrator/orchestrator.ts';
import {
  inPlace,
  isRepository,
  newWorktree,
  type SessionFiles,
} from '../../project/files/session-workspace.ts';
import { type OpenProject, openProject } from '../../project/open.ts';
import { refuseInside } from '../../project/runs/nested.ts';
import { checkAgents } from '../../project/runs/preflight.ts';
import { prepareManifest } from '../../project/runs/prepare-manifest.ts';
import { readWorkflow } from '../../project/runs/workflow.ts';
import { applyRetention } from '../../project/upkeep/retention.ts';
import { excludeFromGit } from '../../workspace/git/exclude.ts';
import { parseBudget, parseInputs, parsePriority } from '../option-values.ts';
import type { Screen } from '../output.ts';
import { runSession, type SessionRun } from '../run-session.ts';
import { Stops } from '../stops.ts';

export interface RunOptions {
  readonly workflow?: string;
  readonly start?: string;
  readonly agent?: string;
  readonly step?: true;
  readonly input?: readonly string[];
  readonly budget?: string;
  readonly inPlace?: true;
  readonly includeDirty?: true;
  readonly base?: string;
  readonly plan?: readonly string[];
  readonly priority?: string;
  readonly dir?: string;
  readonly wait: boolean;
  readonly json?: true;
}

export async function run(screen: Screen, goal: string, options: RunOptions): Promise<number> {
  const budget = options.budget === undefined ? undefined : parseBudget(options.budget);
  const inputs = parseInputs(options.input ?? []);
  refuseInside();
  const opened = openProject(options.dir);
  const { project, config, services } = opened;
  const workflow = readWorkflow(project, config.workflow, options.workflow);
  for (const problem of opened.adapterProblems) {
    screen.error(screen.errorStyle.yellow(`! ${formatAdapterProblem(problem)}`));
  }
  const manifest = prepareManifest(workflow, opened, options.agent);
  // Everything that can be wrong with the manifest is found before a worktree is made for it.
  const { warnings, manifest: checked } = new Orchestrator(manifest, services);
  const start = options.start ?? Object.keys(checked.nodes)[0] ?? '';
  await checkAgents(checked, opened);
  await excludeFromGit(project.dir);
  const sessionId = services.sessions.newId();
  const files = await makeFiles(screen, opened, sessionId, options);
  if (typeof files === 'number') return files;
  const orchestrator = new Orchestrator(manifest, { ...services, ...files.services });
  const { json = false, wait, step: stepping = false } = options;
  const announce: SessionRun['announce'] = (display, id) => {
    const { bold, dim, yellow } = screen.style;
    display.line(`${bold(oneLine(goal))}  ${dim(`${workflow.name}, in ${project.dir}`)}`);
    display.line(dim(`session ${id}`));
    for (const note of files.notes) display.line(dim(note));
    for (const warning of warnings) display.line(yellow(`! ${warning.message}`));
  };
  try {
    const { exitCode } = await runSession(
      { screen, project, orchestrator, sessions: services.sessions, json, wait, announce },
      (engine) =>
        engine.execute(start, {
          goal,
          inputs,
          sessionId,
          stepping,
          payload: files.payload,
          workflow: workflow.name,
          ...(budget ? { budget } : {}),
        }),
    );
    const removed = await applyRetention(opened, { except: sessionId });
    if (!json) for (const note of removed) screen.line(screen.style.dim(note));
    return exitCode;
  } finally {
    if (orchestrator.sessionId === undefined) await files.undo();
    files.close();
  }
}

/** Where the session works, or the exit code when somebody stopped it before there was a session. */
async function makeFiles(
  screen: Screen,
  opened: OpenProject,
  id: string,
  options: RunOptions,
): Promise<SessionFiles | number> {
  const stops = new Stops(screen, { interrupt: () => undefined, lastWord: () => undefined });
  try {
    return await filesFor(screen, opened, id, options, stops.signal);
  } catch (error) {
    if (stops.exitCode === undefined) throw error;
    screen.error('interrupted before the session began: nothing was kept');
    return stops.exitCode;
  } finally {
    stops.close();
  }
}

/** A worktree of its own, unless the person or the folder says otherwise. */
async function filesFor(
  screen: Screen,
  opened: OpenProject,
  id: string,
  options: RunOptions,
  cancel: AbortSignal,
): Promise<SessionFiles> {
  if (options.inPlace) return inPlace('works in place: there are no checkpoints of the files');
  if (!(await isRepository(opened.project.dir))) {
    return inPlace('not a git repository, so it works in place: there are no checkpoints of the files');
  }
  const { plan = [], priority, wait, base, includeDirty } = options;
  if (!options.json) screen.line(screen.style.dim('making a worktree and running the checks once on it...'));
  return newWorktree(opened, id, {
    plan,
    noWait: !wait,
    cancel,
    ...(priority === undefined ? {} : { priority: parsePriority(priority) }),
    ...(base === undefined ? {} : { base }),
    ...(includeDirty === undefined ? {} : { includeDirty }),
  });
}
