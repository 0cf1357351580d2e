import { age, clip, oneLine } from '../../kernel/words.ts';
import { openSessions } from '../../project/open-sessions.ts';
import { type Listed, NEVER_STARTED, readSession, statusWord } from '../../project/sessions/list.ts';
import type { Style } from '../display/style.ts';
import { type Cell, table } from '../display/table.ts';
import type { Screen } from '../output.ts';

export interface SessionsOptions {
  readonly all?: true;
  readonly dir?: string;
  readonly json?: true;
}

const NEWEST = 20;

export async function sessions(screen: Screen, options: SessionsOptions): Promise<number> {
  const { project, sessions: store } = openSessions(options.dir);
  const ids = store.ids().toReversed();
  const shown = options.all || options.json ? ids : ids.slice(0, NEWEST);
  const listed = shown.map((id) => readSession(store, id));
  if (options.json) {
    screen.json(listed.map(sessionJson));
    return 0;
  }
  const { cyan, dim } = screen.style;
  if (listed.length === 0) {
    screen.line(`No sessions in ${project.dir}.`);
    screen.line(`${cyan('next:')} ${project.command('run', '<goal>')}`);
    return 0;
  }
  const rows = listed.map((entry) => sessionRow(entry, screen.style));
  for (const line of table(['session', 'status', 'steps', 'updated', 'at', 'goal'], rows, dim))
    screen.line(line);
  if (shown.length < ids.length) screen.line(dim(`and ${ids.length - shown.length} older: --all shows them`));
  const readable = listed.find((entry) => 'summary' in entry);
  screen.line(
    `${cyan('next:')} ${readable ? project.command('show', readable.id) : project.command('clean')}`,
  );
  return 0;
}

function sessionRow(entry: Listed, style: Style, now = Date.now()): (Cell | string)[] {
  if ('problem' in entry && entry.neverStarted) return [entry.id, { text: NEVER_STARTED, paint: style.dim }];
  if ('problem' in entry) {
    return [entry.id, { text: 'unreadable', paint: style.red }, '', '', '', clip(oneLine(entry.problem), 60)];
  }
  const { summary } = entry;
  const asks = summary.ownerAlive && summary.questions.length > 0;
  const word = asks ? 'asks you' : statusWord(summary);
  const paint = {
    completed: style.green,
    failed: style.red,
    died: style.red,
    halted: style.yellow,
    'asks you': style.yellow,
  }[word];
  return [
    entry.id,
    paint ? { text: word, paint } : word,
    String(summary.step),
    age(now - summary.updatedAt),
    summary.halt?.block ?? summary.currentBlock ?? '',
    clip(oneLine(summary.goal), 50),
  ];
}

function sessionJson(entry: Listed): object {
  if ('problem' in entry) {
    const { id, problem, neverStarted } = entry;
    return { id, status: neverStarted ? NEVER_STARTED : 'unreadable', problem };
  }
  return entry.summary;
}
