import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import type { SessionManager } from '../../orchestrator/state/session-manager.ts';
import { openSessions } from '../../project/open-sessions.ts';
import type { Project } from '../../project/place.ts';
import { findSession } from '../../project/sessions/list.ts';
import { viewStep } from '../../project/sessions/step-view.ts';
import { adviceFor } from '../advice.ts';
import { segmentLines } from '../display/segments.ts';
import { sessionLines } from '../display/session-page.ts';
import { stepLines } from '../display/step-page.ts';
import { parseStepNumber } from '../option-values.ts';
import type { Screen } from '../output.ts';
import { printLog, printLogsAsJson } from '../print-log.ts';
import { printAdvice, situationOf } from '../session-end.ts';

export interface ShowOptions {
  readonly step?: string;
  readonly log?: true;
  readonly payload?: true;
  readonly dir?: string;
  readonly json?: true;
}

export async function show(
  screen: Screen,
  written: string | undefined,
  options: ShowOptions,
): Promise<number> {
  const step = options.step === undefined ? undefined : parseStepNumber(options.step);
  const { project, sessions } = openSessions(options.dir);
  if (written !== undefined && (await showTask(screen, project, sessions, written, options))) return 0;
  const id = findSession(sessions, written);
  if (step !== undefined && !options.log) showStep(screen, project, id, step, options);
  else if (options.log) await showLogs(screen, project, id, step, options);
  else showSession(screen, project, sessions, id, options);
  return 0;
}

function showSession(
  screen: Screen,
  project: Project,
  sessions: SessionManager,
  id: string,
  options: ShowOptions,
): void {
  const snapshot = sessions.load(id);
  const { state, session, ownerAlive } = snapshot;
  const advice = adviceFor(situationOf(snapshot), project);
  if (options.json) {
    screen.json({
      ...session,
      ownerAlive,
      inputs: state.inputs,
      budget: state.budget,
      returnStack: state.stack,
      trail: state.trail.toArray(),
      ...(options.payload ? { payload: state.history.segments() } : {}),
      next: advice.map(({ command }) => command),
    });
    return;
  }
  for (const line of sessionLines(snapshot, screen)) screen.line(line);
  if (options.payload) {
    screen.line();
    for (const line of segmentLines(state.history.segments(), screen.style)) screen.line(line);
  }
  screen.line();
  printAdvice(screen, advice);
}

function showStep(screen: Screen, project: Project, id: string, step: number, options: ShowOptions): void {
  const view = viewStep(project.sessions, id, step);
  if (options.json) {
    screen.json({ session: id, worker: view.worker, ...view.record, shown: view.shown });
    return;
  }
  for (const line of stepLines(view, screen.style)) screen.line(line);
  screen.line(
    `${screen.style.cyan('next:')} ${project.command('show', id, '--step', String(step), '--log')}`,
  );
}

/** The full output of the processes; of one step when a step is named. */
async function showLogs(
  screen: Screen,
  project: Project,
  id: string,
  step: number | undefined,
  options: ShowOptions,
): Promise<void> {
  const folder = join(project.sessions, id, 'logs');
  const files = logNames(folder)
    .filter((name) => step === undefined || Number.parseInt(name, 10) === step)
    .map((name) => join(folder, name));
  if (options.json) return printLogsAsJson(screen, files);
  const { bold, dim, cyan } = screen.style;
  if (files.length === 0)
    screen.line(dim(step === undefined ? 'No process has written anything.' : `Step ${step} has no log.`));
  for (const file of files) {
    screen.line(bold(file));
    await printLog(screen, file);
    screen.line();
  }
  return screen.line(`${cyan('next:')} ${project.command('show', id)}`);
}

function logNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** A task of the backlog is shown by the same word; a session of that name goes first. */
async function showTask(
  screen: Screen,
  project: Project,
  sessions: SessionManager,
  written: string,
  options: ShowOptions,
): Promise<boolean> {
  const fits = (id: string): boolean => {
    const [name, wanted] = [id.toUpperCase(), written.toUpperCase()];
    return name.startsWith(wanted) || name.endsWith(wanted);
  };
  if (sessions.ids().some(fits) || !existsSync(join(project.folder, 'loopwright.db'))) return false;
  const { showStory } = await import('../runtime/show-story.ts');
  return showStory(screen, options.dir, written, options);
}
