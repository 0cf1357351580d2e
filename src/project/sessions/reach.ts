import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../kernel/errors.ts';
import { OwnerConnection } from '../../orchestrator/control/client.ts';
import { openSessions } from '../open-sessions.ts';
import type { Project } from '../place.ts';
import { findSession, statusWord } from './list.ts';

export interface ReachOptions {
  readonly task?: string;
  readonly dir?: string;
  readonly json?: true;
}

export interface Reached {
  readonly id: string;
  readonly project: Project;
  readonly owner: OwnerConnection;
}

/** A line to the process that runs a session, wherever that process is on this machine. */
export async function reachOwner(written: string | undefined, options: ReachOptions): Promise<Reached> {
  const { project, sessions } = openSessions(options.dir);
  const id = findSession(sessions, written);
  const snapshot = sessions.load(id);
  const socket = socketOf(project, id);
  if (!snapshot.ownerAlive || socket === undefined) {
    const word = statusWord({ status: snapshot.state.status, ownerAlive: snapshot.ownerAlive });
    const stands = word === 'died' ? 'has died' : `is ${word}`;
    const what = snapshot.ownerAlive ? 'has no task that could be reached' : stands;
    throw new UsageError(`Session ${id} ${what}: no agent of it runs.`, {
      next: `See where it stands with \`${project.command('show', id)}\`.`,
    });
  }
  return { id, project, owner: await OwnerConnection.open(socket) };
}

/** Only the small projection has it: a socket is a matter of the living owner, not of the journal. */
function socketOf(project: Project, id: string): string | undefined {
  const { socket } = JSON.parse(readFileSync(join(project.sessions, id, 'session.json'), 'utf8')) as {
    readonly socket?: unknown;
  };
  return typeof socket === 'string' ? socket : undefined;
}
