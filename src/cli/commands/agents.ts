import { formatAdapterProblem } from '../../agents/definition/parse.ts';
import { type AgentStatus, agentStatus } from '../../agents/resolve/agent-status.ts';
import { count } from '../../kernel/words.ts';
import { type OpenProject, openProject } from '../../project/open.ts';
import { examine } from '../../project/upkeep/examine.ts';
import { adaptersOf } from '../../workers/adapters.ts';
import { table } from '../display/table.ts';
import type { Screen } from '../output.ts';

export interface AgentsOptions {
  readonly dir?: string;
  readonly json?: true;
}

/** What is installed, its version, how it was found, whether a login is seen, which modes work. */
export async function agents(screen: Screen, options: AgentsOptions): Promise<number> {
  const opened = openProject(options.dir);
  const found = await statuses(opened);
  const problems = opened.adapterProblems.map(formatAdapterProblem);
  if (options.json) {
    screen.json({ agents: found, problems });
    return 0;
  }
  const { dim, green, red, yellow, cyan } = screen.style;
  const rows = found.map((status) => [
    { text: status.type, paint: status.problems.length === 0 ? green : red },
    status.version?.version ?? (status.binary ? '-' : 'not installed'),
    status.binary ? FOUND[status.binary.how] : '-',
    loginWords(status),
    status.modes.join(', ') || '-',
    status.binary?.path ?? '',
  ]);
  for (const line of table(['agent', 'version', 'found', 'login', 'modes', 'program'], rows, dim))
    screen.line(line);
  for (const problem of problems) screen.line(yellow(`! ${problem}`));
  const next = found.some((status) => status.problems.length > 0) ? 'doctor' : 'init';
  screen.line(`${cyan('next:')} ${opened.project.command(next)}`);
  return 0;
}

/** The same knowledge, and what to do about it. */
export async function doctor(screen: Screen, options: AgentsOptions): Promise<number> {
  const opened = openProject(options.dir);
  const findings = await examine(opened, await statuses(opened));
  const wrong = findings.filter(({ level }) => level === 'wrong');
  if (options.json) {
    screen.json({ findings, ok: wrong.length === 0 });
    return wrong.length === 0 ? 0 : 1;
  }
  const { green, red, yellow, cyan, dim } = screen.style;
  const marks = { good: green('✓'), note: yellow('!'), wrong: red('✗') };
  for (const { level, what, next } of findings) {
    screen.line(`${marks[level]} ${what}`);
    if (next !== undefined) screen.line(`  ${cyan('next:')} ${next}`);
  }
  screen.line();
  screen.line(
    wrong.length === 0
      ? green('Everything that is needed is here.')
      : red(count(wrong.length, 'thing') + ' to do.'),
  );
  screen.line(dim('Nothing was sent anywhere to find this out.'));
  return wrong.length === 0 ? 0 : 1;
}

const FOUND = { explicit: 'named', project: 'in the project', path: 'on the path' } as const;

async function statuses({ project, config, services }: OpenProject): Promise<AgentStatus[]> {
  const adapters = adaptersOf(services);
  const options = { projectDir: project.dir, env: config.childEnv };
  const all = await Promise.all(adapters.types().map((type) => agentStatus(adapters, type, options)));
  return all.flatMap((status) => status ?? []);
}

function loginWords({ login, binary }: AgentStatus): string {
  if (!binary) return '-';
  if (login.state === 'not-needed') return 'not needed';
  return login.state === 'seen' ? `yes (${login.by})` : 'not seen';
}
