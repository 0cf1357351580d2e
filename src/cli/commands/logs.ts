import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode, UsageError } from '../../kernel/errors.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import type { SessionManager } from '../../orchestrator/state/session-manager.ts';
import { openProject } from '../../project/open.ts';
import { findSession } from '../../project/sessions/list.ts';
import { adaptersOf } from '../../workers/adapters.ts';
import { taskOfLog } from '../../workers/agent/stream-log.ts';
import type { Screen } from '../output.ts';
import { OpenLog } from '../tasks/open-log.ts';

export interface LogsOptions {
  readonly follow?: true;
  readonly task?: string;
  readonly raw?: true;
  readonly dir?: string;
  readonly json?: true;
}

const LOOK_EVERY_MS = 250;

/** What the agents and commands of a session printed; with -f also what they print from now on. */
export async function logs(
  screen: Screen,
  written: string | undefined,
  options: LogsOptions,
): Promise<number> {
  const { project, services } = openProject(options.dir);
  const { sessions, masker } = services;
  const { raw = false, json = false, task } = options;
  const id = findSession(sessions, written);
  const folder = join(project.sessions, id, 'logs');
  checkTask(folder, options);
  const look = { raw, json, titled: task === undefined && !raw, adapters: adaptersOf(services), masker };
  const open = new Map<string, OpenLog>();
  for (;;) {
    // Asked before reading: what a process wrote before it ended is then read in this round.
    const running = options.follow === true && goesOn(sessions, id);
    for (const name of namesIn(folder, task)) {
      const log = open.get(name) ?? new OpenLog(folder, name, look);
      open.set(name, log);
      await log.printNew(screen);
      // Nothing will follow: the next one must not come before its last words.
      if (!running) await log.close(screen);
    }
    if (!running) break;
    await pause(LOOK_EVERY_MS);
  }
  if (open.size === 0 && !json) screen.line(screen.style.dim('No process has written anything yet.'));
  return 0;
}

/** A parked session goes on by itself or with `resume`: whoever follows it sees what comes then, too. */
function goesOn(sessions: SessionManager, id: string): boolean {
  const { status, ownerAlive } = sessions.summary(id);
  return status === 'parked' || (ownerAlive && (status === 'running' || status === 'waiting'));
}

function namesIn(folder: string, task: string | undefined): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.log'));
    return names.sort().filter((name) => task === undefined || taskOfLog(name) === task);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function checkTask(folder: string, { task, follow }: LogsOptions): void {
  if (task === undefined || follow || namesIn(folder, task).length > 0) return;
  const known = [...new Set(namesIn(folder, undefined).map(taskOfLog))];
  throw new UsageError(`There is no log of a task "${task}".${didYouMean(task, known)}`, {
    next:
      known.length === 0 ? 'No process has written anything yet.' : `There are logs of: ${known.join(', ')}.`,
  });
}
