import type { Command } from 'commander';
import type { Project } from '../../../project/project.ts';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions } from '../../cli.ts';
import { table } from '../../display/table.ts';

type AgentStatus = Awaited<ReturnType<Project['agents']>>['agents'][number];

const FOUND = { explicit: 'named', project: "this repository's own", path: 'on the path' } as const;

export function declareAgents(program: Command, cli: Cli): void {
  program
    .command('agents')
    .description('list the agents: installed or not, version, login, modes')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((options: ProjectOptions) => agents(cli, options)));
}

async function agents(cli: Cli, options: ProjectOptions): Promise<void> {
  const { screen } = cli;
  const { green, red, yellow } = screen.style;
  const project = await cli.open(options);
  const found = await project.agents();
  if (options.json) return cli.json(found);
  const rows = found.agents.map((status) => [
    { text: status.type, paint: status.problems.length === 0 ? green : red },
    status.version?.version ?? (status.binary ? '-' : 'not installed'),
    status.binary ? FOUND[status.binary.how] : '-',
    loginWords(status),
    status.modes.join(', ') || '-',
    status.binary?.path ?? '',
  ]);
  for (const line of table(['agent', 'version', 'found', 'login', 'modes', 'program'], rows, screen))
    screen.line(line);
  for (const { type, passedOver } of found.agents)
    if (passedOver !== undefined)
      screen.line(yellow(`! ${type}: this repository's own ${passedOver} is not taken for it`));
  for (const problem of found.problems) screen.line(yellow(`! ${problem}`));
  return cli.next(project, found.agents.some(({ problems }) => problems.length > 0) ? 'doctor' : 'init');
}

function loginWords({ login, binary }: AgentStatus): string {
  if (!binary) return '-';
  if (login.state === 'not-needed') return 'not needed';
  return login.state === 'seen' ? `yes (${login.by})` : 'not seen';
}
