import type { Role } from '../../config/runtime/settings.ts';
import { UsageError } from '../../kernel/errors.ts';
import { ROLES } from '../../kernel/runtime-words.ts';
import { count } from '../../kernel/words.ts';
import { refuseInside } from '../../project/runs/nested.ts';
import { type OpenRuntime, openRuntime, taskRuntime } from '../../project/runtime/open-runtime.ts';
import { work } from '../../tasks/work.ts';
import type { Screen } from '../output.ts';
import { runtimeDisplay } from '../runtime/display.ts';
import { RunningTasks } from '../runtime/running-tasks.ts';
import { Stops } from '../stops.ts';

const LOOKED_AT = 500;

export interface WorkCommandOptions {
  readonly role?: string;
  readonly once?: true;
  readonly concurrency?: string;
  readonly dir?: string;
  readonly json?: true;
}

/** The runtime: claims tasks, runs them, releases them, and waits for more. */
export async function workCommand(screen: Screen, options: WorkCommandOptions): Promise<number> {
  refuseInside();
  const role = readRole(options.role);
  const concurrency = readConcurrency(options.concurrency);
  const opened = openRuntime(options.dir, { role });
  const { settings, store, opened: project } = opened;
  await checkRemote(opened, role ?? settings.role);
  const json = options.json ?? false;
  const stopping = new AbortController();
  const running = new RunningTasks();
  const stops = new Stops(screen, {
    interrupt: () => {
      if (!json)
        screen.line(screen.style.yellow('stopping: what runs is parked at its checkpoint and given back'));
      stopping.abort();
    },
    lastWord: (exitCode) => {
      const killed = running.kill();
      if (json) screen.json({ type: 'result', killed, exitCode });
      else if (killed.length > 0)
        screen.line(
          screen.style.yellow(
            'ended at once: what ran was killed; the next `work` takes it over at its checkpoint',
          ),
        );
    },
  });
  const { dim, yellow } = screen.style;
  if (!json) {
    for (const warning of project.config.runtime.warnings) screen.line(yellow(`! ${warning}`));
    screen.line(
      dim(
        `${settings.id}: ${role ?? settings.role} in ${settings.repository.mode} mode with ${settings.agents[role ?? settings.role]}, ${count(concurrency, 'task')} at once`,
      ),
    );
  }
  const display = runtimeDisplay(screen, { json });
  // Every write of another runtime wakes this one up: that it idles on is no news.
  let saidIdle = false;
  const tell: typeof display = (event) => {
    saidIdle = false;
    running.event(event);
    display(event);
  };
  try {
    const ended = await work(taskRuntime(opened, tell), {
      role: role ?? settings.role,
      concurrency,
      once: options.once ?? false,
      stop: stopping.signal,
      onIdle: (until) => {
        const isNews = !json && !saidIdle;
        saidIdle = true;
        if (isNews)
          screen.line(
            dim(
              until === undefined
                ? 'idle: nothing to do'
                : `idle until ${new Date(until).toLocaleTimeString()} at the latest`,
            ),
          );
      },
    });
    const words = [...ended].map(([state, n]) => `${n} ${state}`).join(', ');
    if (json) screen.json({ type: 'result', ended: Object.fromEntries(ended) });
    else screen.line(words === '' ? 'Nothing was to do.' : words);
    return stops.exitCode ?? 0;
  } finally {
    stops.close();
    store.close();
  }
}

/** Without an address nothing can be cloned: said before a task has lost an attempt to it. */
async function checkRemote({ settings, store }: OpenRuntime, role: Role): Promise<void> {
  const { mode, url } = settings.repository;
  if (mode !== 'github' || url.trim() !== '') return;
  const line = await store.backlog.list({ states: ['queued'], role, limit: LOOKED_AT });
  if (line.length > 0 && line.every((task) => task.mode !== undefined && task.mode !== 'github')) return;
  throw new UsageError('The repository mode is github, and REPO_URL is not set: nothing could be cloned.', {
    next: 'Set REPO_URL (repository.url in .loopwright/config.json), or set REPO_MODE (repository.mode) to local-git, which works on this repository, or to direct.',
  });
}

function readRole(written: string | undefined): Role | undefined {
  if (written === undefined) return undefined;
  const role = ROLES.find((known) => known === written.trim().toLowerCase());
  if (role) return role;
  throw new UsageError(`"${written}" is not a role.`, { next: `Use one of ${ROLES.join(', ')}.` });
}

function readConcurrency(written = '1'): number {
  const number = Number(written);
  if (Number.isInteger(number) && number >= 1 && number <= 64) return number;
  throw new UsageError(`"${written}" is not a number of tasks.`, {
    next: 'Give a whole number from 1 to 64.',
  });
}
