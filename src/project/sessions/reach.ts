import { join } from 'node:path';
import { action } from '../../kernel/action.ts';
import { ConflictError, UsageError } from '../../kernel/errors.ts';
import { OwnerConnection } from '../../orchestrator/control/client.ts';
import type { ControlAddress } from '../../orchestrator/control/peer.ts';
import { KEY_FILE } from '../../orchestrator/state/files/session-folder.ts';
import { readPlain } from '../../process/plain-file.ts';
import type { OpenProject } from '../open.ts';
import type { Place } from '../place.ts';
import { refuseDecidingInside } from '../runs/nested.ts';
import { findSession, statusWord } from './list.ts';

export interface Reached {
  readonly id: string;
  readonly owner: OwnerConnection;
}

/** A line to the process that runs a session, wherever that process is on this machine. */
export async function reachOwner(
  { project, sessions }: OpenProject,
  written: string | undefined,
): Promise<Reached> {
  refuseDecidingInside();
  const id = findSession(sessions, written);
  const snapshot = sessions.load(id);
  const socket = socketOf(project, id);
  if (!snapshot.ownerAlive || socket === undefined) {
    const word = statusWord({ ...snapshot.state, ownerAlive: snapshot.ownerAlive });
    const stands = word === 'died' ? 'has died' : `is ${word}`;
    const what = snapshot.ownerAlive ? 'has no task that could be reached' : stands;
    throw new ConflictError(`Session ${id} ${what}: no agent of it runs.`, {
      next: action('session.show', 'See where it stands', { session: id }),
    });
  }
  return { id, owner: await OwnerConnection.open(socket) };
}

/** What happened to a stage task that was reached. */
export interface StageTaskChanged {
  readonly session: string;
  readonly task: string;
  readonly status: 'RUNNING' | 'DONE';
}

/** Answers what an agent asked. `stageTask` is needed only while several run. */
export async function answer(
  opened: OpenProject,
  written: string,
  text: string,
  { stageTask }: { readonly stageTask?: string | undefined } = {},
): Promise<StageTaskChanged> {
  const { owner, id } = await reachOwner(opened, written);
  try {
    const { task = '' } = await owner.ask({ do: 'answer', text, ...named(stageTask) });
    return { session: id, task, status: 'RUNNING' };
  } finally {
    owner.close();
  }
}

/** Ends a running stage task: as done, or as not done. */
export async function endStageTask(
  opened: OpenProject,
  how: 'complete' | 'stop',
  written: string | undefined,
  { stageTask }: { readonly stageTask?: string | undefined } = {},
): Promise<StageTaskChanged> {
  const { owner, id } = await reachOwner(opened, written);
  try {
    const { task = '' } = await owner.ask({ do: how, ...named(stageTask) });
    return { session: id, task, status: 'DONE' };
  } finally {
    owner.close();
  }
}

function named(task: string | undefined): { task?: string } {
  if (task === '') throw new UsageError('The name of the task is empty.', { next: 'Give its id.' });
  return task === undefined ? {} : { task };
}

/** Only the small projection has it: a socket is a matter of the living owner, not of the journal. */
function socketOf(project: Place, id: string): ControlAddress | undefined {
  const read = (name: string) => readPlain(join(project.sessions, id, name)).toString('utf8');
  const { socket } = JSON.parse(read('session.json')) as { readonly socket?: unknown };
  return typeof socket === 'string' ? { path: socket, key: read(KEY_FILE).trim() } : undefined;
}
