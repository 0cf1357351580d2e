import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NotFoundError } from '../../../kernel/errors.ts';
import { didYouMean } from '../../../kernel/suggest.ts';
import type { SessionManager } from '../../../orchestrator/state/session-manager.ts';
import { plainFilesIn } from '../../../process/plain-file.ts';
import { taskOfLog } from '../../../workers/agent/stream-log.ts';
import { adaptersOf } from '../../../workers/services.ts';
import type { OpenProject } from '../../open.ts';
import { findSession } from '../list.ts';
import { OpenLog } from './open-log.ts';

export interface LogsRequest {
  /** Only this stage task. */
  readonly task?: string | undefined;
  /** As it was printed, instead of in words. */
  readonly raw?: boolean;
  /** Stay, and give what comes until the session stops. */
  readonly follow?: boolean;
}

/** A piece of what a process printed, in the order it was printed per log. */
export interface LogPiece {
  readonly task: string;
  readonly log: string;
  readonly text: string;
}

export interface Logs {
  readonly session: string;
  readonly pieces: AsyncIterable<LogPiece>;
}

const LOOK_EVERY_MS = 250;

/** What the agents and commands of a session printed, and while it runs also what they print from now on. */
export async function logs(
  opened: OpenProject,
  written: string | undefined,
  request: LogsRequest = {},
): Promise<Logs> {
  const id = findSession(opened.sessions, written);
  const folder = join(opened.project.sessions, id, 'logs');
  refuseUnknownTask(folder, request);
  return { session: id, pieces: pieces(opened, id, folder, request) };
}

async function* pieces(
  { sessions, services }: OpenProject,
  id: string,
  folder: string,
  { task, raw = false, follow = false }: LogsRequest,
): AsyncGenerator<LogPiece> {
  const look = { raw, adapters: adaptersOf(services), masker: services.masker };
  const open = new Map<string, OpenLog>();
  try {
    for (;;) {
      // Asked before reading: what a process wrote before it ended is then read in this round.
      const running = follow && goesOn(sessions, id);
      for (const log of namesIn(folder, task)) {
        const piece = (text: string): LogPiece => ({ task: taskOfLog(log), log, text });
        const file = open.get(log) ?? new OpenLog(folder, log, look);
        open.set(log, file);
        for (const text of file.readNew()) yield piece(text);
        // Nothing will follow: the next one must not come before its last words.
        const last = running ? '' : file.end();
        if (last !== '') yield piece(last);
      }
      if (!running) return;
      await pause(LOOK_EVERY_MS);
    }
  } finally {
    for (const file of open.values()) file.close();
  }
}

/** A parked session continues by itself or when it is resumed: whoever follows it sees what comes then, too. */
function goesOn(sessions: SessionManager, id: string): boolean {
  const { status, ownerAlive } = sessions.summary(id);
  return status === 'parked' || (ownerAlive && (status === 'running' || status === 'waiting'));
}

function namesIn(folder: string, task: string | undefined): string[] {
  const names = plainFilesIn(folder).filter((name) => name.endsWith('.log'));
  return names.filter((name) => task === undefined || taskOfLog(name) === task);
}

function refuseUnknownTask(folder: string, { task, follow }: LogsRequest): void {
  if (task === undefined || follow || namesIn(folder, task).length > 0) return;
  const known = [...new Set(namesIn(folder, undefined).map(taskOfLog))];
  throw new NotFoundError(`There is no log of a task "${task}".${didYouMean(task, known)}`, {
    next:
      known.length === 0 ? 'No process has written anything yet.' : `There are logs of: ${known.join(', ')}.`,
  });
}
