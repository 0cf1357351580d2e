import type { Command } from 'commander';
import { action } from '../../../kernel/action.ts';
import { UsageError } from '../../../kernel/errors.ts';
import type { Reached } from '../../../project/sessions/reach.ts';
import { toChange } from '../../choose.ts';
import { type Cli, commandFor, DIR, SESSION } from '../../cli.ts';
import type { Screen } from '../../output.ts';
import { STAGE_TASK, type StageTaskOptions } from './answer.ts';

type OwnerConnection = Reached['owner'];

/** Ctrl-], as in telnet: no agent uses it. */
const DETACH = '\u001d';
/**
 * What this terminal says by itself, asked where its cursor is or what it can do, or because its window got or lost
 * the focus: nobody typed it.
 */
const REPLIES =
  // oxlint-disable-next-line no-control-regex -- the escapes are what is looked for
  /\u001b\[[?>]?[\d;]*[cRnt]|\u001b\[\?[\d;]*(?:u|\$y)|\u001b\[[IO]|\u001b\](?:4|1[0-2]);[^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001bP[^\u001b]*\u001b\\/g;
const LEAVE_SCREEN =
  // Screen, cursor, pasting, mouse, focus, keys (cursor, keypad, and two ways to tell more of them apart), colours.
  '\u001b[?1049l\u001b[?25h\u001b[?2004l\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1006l\u001b[?1004l\u001b[?1l\u001b>\u001b[<9u\u001b[>4;0m\u001b[0m';

export function declareAttach(program: Command, cli: Cli): void {
  program
    .command('attach')
    .description('open the live terminal of a running agent: watch, type, leave it running with Ctrl-]')
    .argument('[session]', SESSION)
    .option('--task <id>', STAGE_TASK)
    .option(...DIR)
    .option('--json', 'its output as one JSON object per piece and line; nothing can be typed')
    .action(cli.action((id: string | undefined, options: StageTaskOptions) => attach(cli, id, options)));
}

async function attach(cli: Cli, written: string | undefined, options: StageTaskOptions): Promise<void> {
  const { screen } = cli;
  if (!screen.interactive && !options.json) {
    throw new UsageError('attach needs a terminal on both sides.', {
      next: action('session.logs', 'Read the output instead', {
        ...(written === undefined ? {} : { session: written }),
        follow: true,
      }),
    });
  }
  const project = await cli.open(options);
  const { owner, id } = await project.reachOwner(await toChange(cli, project, written, options, 'reach'));
  const ended = new Promise<string>((resolve) => {
    owner.onReply((reply) => {
      if ('raw' in reply) show(screen, reply, options);
      else if ('ended' in reply) resolve(reply.ended);
    });
  });
  try {
    const { task = '' } = await owner.ask({
      do: 'attach',
      ...(options.task === undefined ? {} : { task: options.task }),
    });
    if (!options.json) screen.error(screen.errorStyle.dim(`attached to ${task}; Ctrl-] leaves it running`));
    const detached = options.json ? new Promise<never>(() => undefined) : typing(owner);
    const how = await Promise.race([ended, detached, owner.closed.then(() => 'closed')]);
    if (!options.json) {
      restore();
      const next = commandFor(project, 'attach', id, '--task', task);
      screen.error(
        how === 'detached' ? `\ndetached, ${task} runs on. Back with: ${next}` : `\n${task} has ended.`,
      );
    }
  } finally {
    restore();
    owner.close();
  }
}

function show(screen: Screen, reply: { readonly raw: string }, { json }: StageTaskOptions): void {
  if (json) screen.json(reply);
  else process.stdout.write(reply.raw);
}

/** Hands over what is typed, key by key, and the size of the window; resolves when the person leaves. */
function typing(owner: OwnerConnection): Promise<'detached'> {
  const { stdin, stdout } = process;
  const size = (): void => {
    if (stdout.columns > 0 && stdout.rows > 0) {
      owner.tell({ do: 'resize', columns: stdout.columns, rows: stdout.rows });
    }
  };
  size();
  stdout.on('resize', size);
  stdin.setRawMode(true);
  stdin.resume();
  stdin.setEncoding('utf8');
  return new Promise((resolve) => {
    const typed = (text: string): void => {
      const at = text.indexOf(DETACH);
      const kept = (at < 0 ? text : text.slice(0, at)).replace(REPLIES, '');
      if (kept !== '') owner.tell({ do: 'input', text: kept });
      if (at >= 0) resolve('detached');
    };
    stdin.on('data', typed);
    owner.onClosed(() => {
      stdin.off('data', typed);
      stdout.off('resize', size);
    });
  });
}

/** What the agent's program turned on in this terminal is turned off again. */
function restore(): void {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdin.isRaw) return;
  stdin.setRawMode(false);
  stdin.pause();
  stdout.write(LEAVE_SCREEN);
}
