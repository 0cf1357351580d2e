import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Cleaner } from '../../agents/output/clean.ts';
import { errorCode, UsageError } from '../../kernel/errors.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import type { SessionManager } from '../../orchestrator/state/session-manager.ts';
import { openSessions } from '../open-sessions.ts';
import type { Screen } from '../output.ts';
import { findSession } from '../session-list.ts';

export interface LogsOptions {
  readonly follow?: true;
  readonly task?: string;
  readonly raw?: true;
  readonly dir?: string;
  readonly json?: true;
}

const LOOK_EVERY_MS = 250;
const PIECE = 64 * 1024;

/** What the agents and commands of a session printed; with -f also what they print from now on. */
export async function logs(
  screen: Screen,
  written: string | undefined,
  options: LogsOptions,
): Promise<number> {
  const { project, sessions } = openSessions(options.dir);
  const id = findSession(sessions, written);
  const folder = join(project.sessions, id, 'logs');
  checkTask(folder, options);
  const open = new Map<string, OpenLog>();
  for (;;) {
    // Asked before reading: what a process wrote before it ended is then read in this round.
    const running = options.follow === true && isRunning(sessions, id);
    for (const name of namesIn(folder, options.task)) {
      const known = open.get(name);
      const log = known ?? new OpenLog(folder, name, options, open.size > 0 || options.task === undefined);
      open.set(name, log);
      await log.printNew(screen);
    }
    if (!running) break;
    await pause(LOOK_EVERY_MS);
  }
  for (const log of open.values()) log.close();
  if (open.size === 0 && !options.json) screen.line(screen.style.dim('No process has written anything yet.'));
  return 0;
}

/** One log file as far as it was printed. */
class OpenLog {
  readonly #name: string;
  readonly #fd: number;
  readonly #options: LogsOptions;
  readonly #cleaner = new Cleaner();
  readonly #decoder = new TextDecoder();
  #titled: boolean;

  constructor(folder: string, name: string, options: LogsOptions, titled: boolean) {
    this.#name = name;
    this.#fd = openSync(join(folder, name), 'r');
    this.#options = options;
    this.#titled = !titled || options.json === true || options.raw === true;
  }

  async printNew(screen: Screen): Promise<void> {
    const buffer = Buffer.alloc(PIECE);
    for (;;) {
      const size = readSync(this.#fd, buffer, 0, PIECE, null);
      if (size === 0) return;
      const raw = this.#decoder.decode(buffer.subarray(0, size), { stream: true });
      const text = this.#options.raw ? raw : this.#cleaner.push(raw);
      if (text === '') continue;
      if (this.#options.json) screen.json({ task: taskOf(this.#name), log: this.#name, text });
      else {
        if (!this.#titled) screen.line(screen.style.bold(taskOf(this.#name)));
        this.#titled = true;
        await screen.text(text);
      }
    }
  }

  close(): void {
    closeSync(this.#fd);
  }
}

function isRunning(sessions: SessionManager, id: string): boolean {
  const { state, ownerAlive } = sessions.load(id);
  return ownerAlive && (state.status === 'running' || state.status === 'waiting');
}

function namesIn(folder: string, task: string | undefined): string[] {
  try {
    const names = readdirSync(folder)
      .filter((name) => name.endsWith('.log'))
      .sort();
    return task === undefined ? names : names.filter((name) => taskOf(name) === task);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** `0003-review.log` is of the task `review`. */
function taskOf(name: string): string {
  return name.replace(/^\d+-/, '').replace(/\.log$/, '');
}

function checkTask(folder: string, { task, follow }: LogsOptions): void {
  if (task === undefined || follow || namesIn(folder, task).length > 0) return;
  const known = [...new Set(namesIn(folder, undefined).map(taskOf))];
  throw new UsageError(`There is no log of a task "${task}".${didYouMean(task, known)}`, {
    next:
      known.length === 0 ? 'No process has written anything yet.' : `There are logs of: ${known.join(', ')}.`,
  });
}
