import type { Command } from 'commander';
import { age, clip, oneLine } from '../../../kernel/words.ts';
import type { Project } from '../../../project/project.ts';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions } from '../../cli.ts';
import type { Style } from '../../display/style.ts';
import { type Cell, table } from '../../display/table.ts';

interface SessionsOptions extends ProjectOptions {
  readonly all?: true;
}

const NEWEST = 20;

export function declareSessions(program: Command, cli: Cli): void {
  program
    .command('sessions')
    .description('list the sessions of this project')
    .option('--all', 'also the older ones')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((options: SessionsOptions) => sessions(cli, options)));
}

async function sessions(cli: Cli, options: SessionsOptions): Promise<void> {
  const { screen } = cli;
  const { dim } = screen.style;
  const project = await cli.open(options);
  const { sessions: listed, older } = await project.sessions(
    options.all || options.json ? {} : { newest: NEWEST },
  );
  if (options.json) return cli.json({ sessions: listed });
  if (listed.length === 0) {
    screen.line(`No sessions in ${project.dir}.`);
    return cli.next(project, 'run', '<goal>');
  }
  const rows = listed.map((entry) => sessionRow(entry, screen.style));
  const head = ['session', 'status', 'work', 'steps', 'updated', 'at', 'goal'];
  for (const line of table(head, rows, screen)) screen.line(line);
  if (older > 0) screen.line(dim(`and ${older} older: --all shows them`));
  const readable = listed.find((entry) => !('problem' in entry));
  return readable ? cli.next(project, 'show', readable.id) : cli.next(project, 'clean');
}

type Listed = Awaited<ReturnType<Project['sessions']>>['sessions'][number];

function sessionRow(entry: Listed, style: Style, now = Date.now()): (Cell | string)[] {
  if ('problem' in entry) {
    const paint = entry.status === 'unreadable' ? style.red : style.dim;
    const why = entry.status === 'unreadable' ? clip(oneLine(entry.problem), 60) : '';
    return [entry.id, { text: entry.status, paint }, '', '', '', '', why];
  }
  const word = entry.questions.length > 0 ? 'asks you' : entry.word;
  const paint = {
    completed: style.green,
    failed: style.red,
    died: style.red,
    halted: style.yellow,
    'no change': style.yellow,
    'asks you': style.yellow,
  }[word];
  return [
    entry.id,
    paint ? { text: word, paint } : word,
    entry.delivery?.kind ?? '',
    String(entry.step),
    age(now - entry.updatedAt),
    entry.halt?.block ?? entry.currentBlock ?? '',
    clip(oneLine(entry.goal), 50),
  ];
}
