import type { Command } from 'commander';
import { count } from '../../../kernel/words.ts';
import type { Project } from '../../../project/project.ts';
import type { WorkEvent, Working, WorkRequest } from '../../../project/runtime/work.ts';
import { askForAgent } from '../../ask-for-agent.ts';
import { type Cli, commandFor, DIR, JSON_LINES } from '../../cli.ts';
import { openRuntimeDisplay, type RuntimeDisplay } from '../../display/runtime.ts';
import { withResultLine } from '../../errors.ts';
import { openTrusted, TRUST, type TrustOptions } from '../../open-trusted.ts';
import { printActions } from '../../session-end.ts';
import { Stops } from '../../stops.ts';
import { printTaskNext } from '../../task-next.ts';

interface WorkOptions extends TrustOptions {
  readonly role?: string;
  readonly once?: true;
  readonly concurrency: string;
}

export function declareWork(program: Command, cli: Cli): void {
  program
    .command('work')
    .description('work the backlog off: claim a task, run it, verify it, deliver it, next')
    .option('--role <role>', 'worker, tester or docser')
    .option('--once', 'end when there is nothing to do, instead of waiting for more')
    .option('--concurrency <n>', 'how many tasks at once', '1')
    .option(...DIR)
    .option(...TRUST)
    .option(...JSON_LINES)
    .action(cli.action((options: WorkOptions) => withResultLine(cli, options, () => work(cli, options), {})));
}

async function work(cli: Cli, options: WorkOptions): Promise<number> {
  const { screen } = cli;
  const json = options.json ?? false;
  let project = await openTrusted(cli, options);
  if (screen.interactive && !json && (await askForAgent(cli, project, requestOf(options).role)))
    project = await openTrusted(cli, options);
  const working = await project.work(requestOf(options));
  const display = await openRuntimeDisplay(screen, {
    json,
    answerWith: (session, task) => commandFor(project, 'answer', session, '<answer>', '--task', task),
  });
  const stops = stopsOf(cli, working, display, json);
  announce(cli, working, display);
  const unsubscribe = working.events.subscribe((event) => show(cli, display, event));
  try {
    const ended = await working.ended;
    display.close();
    const words = Object.entries(ended).map(([state, n]) => `${n} ${state}`);
    const stuck = words.length > 0 ? undefined : await stuckIn(project, working.role);
    const exitCode = stops.exitCode ?? (stuck === undefined ? 0 : NOTHING_STARTED);
    if (json) cli.json({ type: 'result', ended, ...(stuck ? { waiting: stuck.waiting } : {}), exitCode });
    else if (words.length > 0) {
      screen.line(words.join(', '));
      await printTaskNext(cli, project);
    } else sayNothingDone(cli, project, stuck);
    return exitCode;
  } finally {
    display.close();
    unsubscribe();
    stops.close();
  }
}

function stopsOf(cli: Cli, working: Working, display: RuntimeDisplay, json: boolean): Stops {
  const { yellow } = cli.screen.style;
  return new Stops(cli.screen, {
    interrupt: () => {
      display.line(yellow('stopping: what runs is parked at its checkpoint and given back'));
      working.stop();
    },
    lastWord: (exitCode) => {
      const killed = working.kill();
      display.close();
      if (json) cli.json({ type: 'result', killed, exitCode });
      else if (killed.length > 0)
        cli.screen.line(
          yellow('ended at once: what ran was killed; the next `work` takes it over at its checkpoint'),
        );
    },
  });
}

function announce({ screen }: Cli, working: Working, display: RuntimeDisplay): void {
  const { dim, yellow } = screen.style;
  for (const warning of working.warnings) display.line(yellow(`! ${warning}`));
  const { id, role, mode, modeWhy, agent = 'the agents that its tasks name', concurrency } = working;
  const because = modeWhy === undefined ? '' : ` (${modeWhy})`;
  const many = `${count(concurrency, 'task')} at once`;
  display.line(dim(`${id}: ${role} in ${mode} mode${because} with ${agent}, ${many}`));
}

function show({ screen }: Cli, display: RuntimeDisplay, event: WorkEvent): void {
  const { dim } = screen.style;
  if (event.type !== 'runtime.idle') display.event(event);
  else if (event.until === undefined) display.line(dim('idle: nothing to do'));
  else display.line(dim(`idle until ${new Date(event.until).toLocaleTimeString()} at the latest`));
}

/** A person, time or somebody else is needed, as for a session that waits. */
const NOTHING_STARTED = 2;

interface Stuck {
  readonly waiting: number;
  readonly first: Awaited<ReturnType<Project['tasks']>>[number];
}

/** Tasks are in line, and none of them could be started. */
async function stuckIn(project: Project, role: Working['role']): Promise<Stuck | undefined> {
  const waiting = await project.tasks({ states: ['queued'], role });
  const [first] = waiting;
  return first && { waiting: waiting.length, first };
}

function sayNothingDone(cli: Cli, project: Project, stuck: Stuck | undefined): void {
  if (!stuck) {
    cli.screen.line('There was nothing to do.');
    return cli.next(project, 'task', 'add', '<title>');
  }
  const { waiting, first } = stuck;
  const why = first.waitsFor ?? 'its turn';
  cli.screen.line(
    `Nothing could be started. In line: ${count(waiting, 'task')}; the first waits for ${why}.`,
  );
  if (first.next) return printActions(cli.screen, project, [first.next]);
  return cli.next(project, 'show', first.id);
}

/** What is no role or no number is for the runtime to refuse. */
function requestOf({ role, once, concurrency }: WorkOptions): WorkRequest {
  return {
    concurrency: Number(concurrency),
    once: once ?? false,
    ...(role === undefined ? {} : { role: role.trim().toLowerCase() as NonNullable<WorkRequest['role']> }),
  };
}
