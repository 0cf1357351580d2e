import { ConflictError } from '../../kernel/errors.ts';
import { processState } from '../../process/identity.ts';
import { namesIn } from '../../process/if-there.ts';
import type { OpenProject, ProjectSessions } from '../open.ts';
import { refuseDecidingInside } from '../runs/nested.ts';
import { findSession } from '../sessions/list.ts';
import { deleteExperiment, type Experiment, experimentsFolder, readExperiment } from './experiment-file.ts';

/** The experiments with the calls of a session, newest first. */
export async function experiments(opened: OpenProject, written: string): Promise<Experiment[]> {
  return experimentsOf(opened, findSession(opened.sessions, written));
}

export async function experiment(opened: OpenProject, id: string): Promise<Experiment> {
  return readExperiment(opened, id);
}

/** Asks the process of an experiment to end its agent and itself; what was said so far is kept. */
export async function stopExperiment(opened: OpenProject, id: string): Promise<Experiment> {
  refuseDecidingInside();
  const known = readExperiment(opened, id);
  if (known.status !== 'running' || !known.owner || processState(known.owner) !== 'alive')
    throw new ConflictError(`Experiment ${id} does not run: it is ${known.status}.`);
  process.kill(known.owner.pid, 'SIGTERM');
  return known;
}

/** Deletes an experiment with its log. */
export async function removeExperiment(
  opened: OpenProject,
  id: string,
): Promise<{ readonly experiment: string }> {
  refuseDecidingInside();
  const { status, experiment: whole } = readExperiment(opened, id);
  if (status === 'running' || status === 'waiting')
    throw new ConflictError(`Experiment ${id} is ${status}.`, { next: 'Stop it first.' });
  deleteExperiment(opened, whole);
  return { experiment: whole };
}

/** Nothing of a session that is deleted stays behind; what still runs goes when it has ended. */
export async function removeExperimentsOf(
  opened: Pick<ProjectSessions, 'project'>,
  session: string,
): Promise<void> {
  for (const { experiment: id, status } of await experimentsOf(opened, session))
    if (status !== 'running') deleteExperiment(opened, id);
}

async function experimentsOf(
  opened: Pick<ProjectSessions, 'project'>,
  session: string,
): Promise<Experiment[]> {
  const names = (await namesIn(experimentsFolder(opened))).filter((name) => /^[0-9A-Z]{26}$/.test(name));
  return names
    .sort()
    .reverse()
    .map((id) => readExperiment(opened, id))
    .filter((each) => each.session === session);
}
