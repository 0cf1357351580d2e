import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { action } from '../../kernel/action.ts';
import { ConflictError, SessionBusyError } from '../../kernel/errors.ts';
import type { SessionManager } from '../../orchestrator/state/session-manager.ts';
import { isFinal } from '../../orchestrator/state/status.ts';
import { type Listed, NEVER_STARTED, readSession, statusWord } from '../sessions/list.ts';

interface Cleanable {
  readonly id: string;
  readonly status: string;
  readonly size: number;
  readonly updatedAt: number;
}

export interface Choice {
  readonly chosen: readonly Cleanable[];
  readonly kept: number;
}

interface Wanted {
  readonly named: readonly string[];
  readonly olderThanMs: number;
  readonly force: boolean;
}

/** So long a folder without a record may belong to a process that is about to write it. */
const STARTING_MS = 60_000;

/** Which sessions may go. One that could still be continued goes only when it is named and forced. */
export function chooseForCleaning(
  sessions: SessionManager,
  root: string,
  wanted: Wanted,
  now = Date.now(),
): Choice {
  const { named } = wanted;
  const ids = named.length > 0 ? [...new Set(named)] : sessions.ids();
  const chosen: Cleanable[] = [];
  for (const id of ids) {
    const listed = readSession(sessions, id);
    if (named.length > 0) refuseNamed(listed, wanted.force);
    else if (!isOver(listed)) continue;
    const entry = cleanable(listed, root);
    if (entry.status === NEVER_STARTED && now - entry.updatedAt < STARTING_MS && named.length === 0) continue;
    if (now - entry.updatedAt >= wanted.olderThanMs) chosen.push(entry);
  }
  return { chosen, kept: ids.length - chosen.length };
}

function isOver(listed: Listed): boolean {
  return 'problem' in listed ? listed.neverStarted : isFinal(listed.summary.status);
}

function refuseNamed(listed: Listed, force: boolean): void {
  const { id } = listed;
  if ('summary' in listed && listed.summary.status === 'running' && listed.summary.ownerAlive) {
    throw new SessionBusyError(`Session ${id} is running.`, {
      next: action('session.abort', 'End it first', { session: id }),
    });
  }
  if (isOver(listed) || force) return;
  const why =
    'problem' in listed
      ? `cannot be read (${listed.problem})`
      : `is ${statusWord(listed.summary)} and could still be continued`;
  throw new ConflictError(`Session ${id} ${why}.`, {
    next: {
      ...action('session.clean', 'Force it to delete it all the same; nothing brings it back', {
        session: id,
        force: true,
      }),
      danger: true,
    },
  });
}

function cleanable(listed: Listed, root: string): Cleanable {
  const { id } = listed;
  const folder = join(root, id);
  const size = sizeOf(folder);
  if ('problem' in listed) {
    const status = listed.neverStarted ? NEVER_STARTED : 'unreadable';
    return { id, status, size, updatedAt: lstatSync(folder).mtimeMs };
  }
  return { id, status: statusWord(listed.summary), size, updatedAt: listed.summary.updatedAt };
}

function sizeOf(path: string): number {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
