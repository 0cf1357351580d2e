import { UsageError } from '../../kernel/errors.ts';
import { confirm } from '../ask.ts';
import { type Choice, chooseForCleaning } from '../cleaning.ts';
import { table } from '../display/table.ts';
import { age, bytes, count } from '../display/words.ts';
import { openSessions } from '../open-sessions.ts';
import { parseAge } from '../option-values.ts';
import type { Screen } from '../output.ts';
import type { Project } from '../project.ts';
import { findSession } from '../session-list.ts';

export interface CleanOptions {
  readonly olderThan?: string;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly force?: true;
  readonly dir?: string;
  readonly json?: true;
}

export async function clean(
  screen: Screen,
  written: readonly string[],
  options: CleanOptions,
): Promise<number> {
  const olderThanMs = options.olderThan === undefined ? 0 : parseAge(options.olderThan);
  const { project, sessions } = openSessions(options.dir);
  const named = written.map((word) => findSession(sessions, word));
  const choice = chooseForCleaning(sessions, project.sessions, {
    named,
    olderThanMs,
    force: options.force ?? false,
  });
  const dryRun = options.dryRun ?? false;
  if (!options.json) print(screen, choice);
  if (choice.chosen.length > 0 && !dryRun && (await mayDelete(screen, choice, project, options))) {
    for (const { id } of choice.chosen) sessions.remove(id);
    finish(screen, choice, options, { deleted: true, project });
  } else finish(screen, choice, options, { deleted: false, project });
  return 0;
}

async function mayDelete(
  screen: Screen,
  choice: Choice,
  project: Project,
  options: CleanOptions,
): Promise<boolean> {
  if (options.yes) return true;
  if (!screen.interactive || options.json) {
    throw new UsageError(
      `Nobody can be asked here whether ${count(choice.chosen.length, 'session')} may be deleted.`,
      {
        next: `Look with \`${project.command('clean', '--dry-run')}\`, then delete with --yes.`,
      },
    );
  }
  return confirm(`Delete ${count(choice.chosen.length, 'session')}?`);
}

function print(screen: Screen, { chosen, kept }: Choice): void {
  const { dim } = screen.style;
  const rows = chosen.map(({ id, status, size, updatedAt }) => [
    id,
    status,
    age(Date.now() - updatedAt),
    bytes(size),
  ]);
  if (rows.length > 0)
    for (const line of table(['session', 'status', 'ended', 'size'], rows, dim)) screen.line(line);
  const total = chosen.reduce((sum, { size }) => sum + size, 0);
  screen.line(`${count(chosen.length, 'session')} to delete, ${bytes(total)}`);
  if (kept > 0) screen.line(dim(`${count(kept, 'session')} kept: younger, or could still be continued`));
}

function finish(
  screen: Screen,
  { chosen, kept }: Choice,
  options: CleanOptions,
  { deleted, project }: { deleted: boolean; project: Project },
): void {
  if (options.json) {
    screen.json({ deleted, sessions: chosen, bytes: chosen.reduce((sum, { size }) => sum + size, 0), kept });
    return;
  }
  if (deleted) screen.line(`Deleted ${count(chosen.length, 'session')}.`);
  else if (chosen.length > 0) screen.line('Nothing was deleted.');
  const next =
    !deleted && chosen.length > 0 ? project.command('clean', '--yes') : project.command('sessions');
  screen.line(`${screen.style.cyan('next:')} ${next}`);
}
