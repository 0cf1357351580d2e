import { clip, duration, oneLine } from '../../kernel/words.ts';
import { openSessions } from '../../project/open-sessions.ts';
import { endedByProjection, readSession } from '../../project/sessions/list.ts';
import { adviceFor } from '../advice.ts';
import { table } from '../display/table.ts';
import type { Screen } from '../output.ts';
import { situationOf } from '../session-end.ts';
import { sessionJson } from './sessions.ts';

export interface PsOptions {
  readonly dir?: string;
  readonly json?: true;
}

/** What is owned by a living process, and what a process left behind when it died. */
export async function ps(screen: Screen, options: PsOptions): Promise<number> {
  const { project, sessions } = openSessions(options.dir);
  const living = sessions
    .ids()
    .filter((id) => !endedByProjection(project.sessions, id))
    .flatMap((id) => {
      const listed = readSession(sessions, id);
      return 'snapshot' in listed && listed.snapshot.state.status === 'running' ? [listed] : [];
    });
  if (options.json) {
    screen.json(
      living.map((listed) => ({
        ...sessionJson(listed),
        state: listed.snapshot.ownerAlive ? 'running' : 'dead',
      })),
    );
    return 0;
  }
  const { cyan, dim, green, red } = screen.style;
  if (living.length === 0) {
    screen.line('Nothing is running.');
    screen.line(`${cyan('next:')} ${project.command('sessions')}`);
    return 0;
  }
  const rows = living.map(({ id, snapshot: { state, session, ownerAlive } }) => [
    id,
    ownerAlive ? { text: 'running', paint: green } : { text: 'dead', paint: red },
    `${session.owner.pid}@${session.owner.host}`,
    duration(Date.now() - state.updatedAt),
    state.at ?? '',
    clip(oneLine(state.goal), 50),
  ]);
  for (const line of table(['session', 'process', 'pid', 'since step', 'at', 'goal'], rows, dim))
    screen.line(line);
  const dead = living.find(({ snapshot }) => !snapshot.ownerAlive);
  const [first] = dead ? adviceFor(situationOf(dead.snapshot), project) : [];
  screen.line(`${cyan('next:')} ${first?.command ?? project.command('show', living[0]?.id ?? '')}`);
  return 0;
}
