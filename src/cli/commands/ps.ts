import { clip, duration, oneLine } from '../../kernel/words.ts';
import { openSessions } from '../../project/open-sessions.ts';
import { readSession } from '../../project/sessions/list.ts';
import { adviceFor } from '../advice.ts';
import { table } from '../display/table.ts';
import type { Screen } from '../output.ts';
import { situationOf } from '../session-end.ts';

export interface PsOptions {
  readonly dir?: string;
  readonly json?: true;
}

/** What is owned by a living process, and what a process left behind when it died. */
export async function ps(screen: Screen, options: PsOptions): Promise<number> {
  const { project, sessions } = openSessions(options.dir);
  const living = sessions.ids().flatMap((id) => {
    const listed = readSession(sessions, id);
    return 'summary' in listed && listed.summary.status === 'running' ? [listed.summary] : [];
  });
  if (options.json) {
    screen.json(living.map((summary) => ({ ...summary, state: summary.ownerAlive ? 'running' : 'dead' })));
    return 0;
  }
  const { cyan, dim, green, red } = screen.style;
  if (living.length === 0) {
    screen.line('Nothing is running.');
    screen.line(`${cyan('next:')} ${project.command('sessions')}`);
    return 0;
  }
  const rows = living.map(({ id, owner, ownerAlive, updatedAt, currentBlock, goal }) => [
    id,
    ownerAlive ? { text: 'running', paint: green } : { text: 'dead', paint: red },
    `${owner.pid}@${owner.host}`,
    duration(Date.now() - updatedAt),
    currentBlock ?? '',
    clip(oneLine(goal), 50),
  ]);
  for (const line of table(['session', 'process', 'pid', 'since step', 'at', 'goal'], rows, dim))
    screen.line(line);
  const dead = living.find(({ ownerAlive }) => !ownerAlive);
  const [first] = dead ? adviceFor(situationOf(sessions.load(dead.id)), project) : [];
  screen.line(`${cyan('next:')} ${first?.command ?? project.command('show', living[0]?.id ?? '')}`);
  return 0;
}
