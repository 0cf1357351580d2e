import { rmSync } from 'node:fs';
import { UsageError } from '../../kernel/errors.ts';
import { age, bytes, count } from '../../kernel/words.ts';
import { leavePlans } from '../../project/files/turns.ts';
import { type OpenProject, openProject } from '../../project/open.ts';
import type { Project } from '../../project/place.ts';
import { findSession, readSession } from '../../project/sessions/list.ts';
import { type Choice, chooseForCleaning } from '../../project/upkeep/cleaning.ts';
import {
  type DiskUse,
  diskOf,
  refuseDamagedDatabase,
  type Shrunk,
  shrinkDatabase,
} from '../../project/upkeep/disk.ts';
import { type FilesRemover, filesRemover } from '../../project/upkeep/remove-files.ts';
import { logFolderOf } from '../../tasks/prepare/make-ready.ts';
import { confirm } from '../ask.ts';
import { table } from '../display/table.ts';
import { parseAge } from '../option-values.ts';
import type { Screen } from '../output.ts';

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
  const opened = openProject(options.dir);
  refuseDamagedDatabase(opened);
  const { project } = opened;
  const { sessions } = opened.services;
  const named = written.map((word) => findSession(sessions, word));
  const choice = chooseForCleaning(sessions, project.sessions, {
    named,
    olderThanMs,
    force: options.force ?? false,
  });
  const dryRun = options.dryRun ?? false;
  const files = await keptFilesOf(opened, choice);
  // Looking at every file takes its time: not where somebody has decided already.
  const looked = dryRun || (named.length === 0 && !options.yes) ? await diskOf(opened) : undefined;
  if (!options.json) {
    if (looked) printDisk(screen, looked);
    print(screen, choice, files);
  }
  if (choice.chosen.length > 0 && !dryRun && (await mayDelete(screen, choice, project, options))) {
    const notes: string[] = [];
    for (const { id } of choice.chosen) notes.push(...(await remove(opened, files, id)));
    const shrunk = await shrinkDatabase(opened);
    if (shrunk.problem !== undefined) notes.push(shrunk.problem);
    if (!options.json) for (const note of notes) screen.line(screen.style.yellow(`! ${note}`));
    finish(screen, choice, options, { project, files, looked, shrunk });
  } else finish(screen, choice, options, { project, files, looked });
  return 0;
}

/** What becomes of the worktrees and checkpoints of the sessions that go. */
interface KeptFilesOf {
  readonly remover: FilesRemover | undefined;
  /** Why the files of a session stay, by its id. */
  readonly stay: ReadonlyMap<string, string>;
}

async function keptFilesOf(opened: OpenProject, { chosen }: Choice): Promise<KeptFilesOf> {
  const { sessions } = opened.services;
  const withFiles = chosen.filter(({ id }) => {
    const listed = readSession(sessions, id);
    return 'summary' in listed && listed.summary.files !== null;
  });
  const ids = withFiles.map(({ id }) => id);
  if (ids.length === 0) return { remover: undefined, stay: new Map() };
  const remover = await filesRemover(opened, ids);
  const stay = new Map<string, string>();
  for (const id of ids) {
    const why = await remover.objection(id);
    if (why !== undefined) stay.set(id, why);
  }
  return { remover, stay };
}

/** The files first: while the session is there, repeating it finishes what a kill interrupted. */
async function remove(opened: OpenProject, { remover, stay }: KeptFilesOf, id: string): Promise<string[]> {
  const result = stay.has(id) ? undefined : await remover?.remove(id);
  const why = result?.removed === false ? result.why : stay.get(id);
  if (why === undefined) rmSync(logFolderOf(opened.project.folder, id), { recursive: true, force: true });
  await leavePlans(opened.project, id);
  opened.services.sessions.remove(id);
  if (why !== undefined) return [`the files of ${id} were left: ${why}`];
  return result?.removed ? [...result.problems] : [];
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

function printDisk(screen: Screen, disk: readonly DiskUse[]): void {
  const rows = disk.map(({ what, count: n, bytes: size }) => [
    what,
    String(n),
    size === undefined ? 'in the objects of git' : bytes(size),
  ]);
  for (const line of table(['kept', 'count', 'disk'], rows, screen.style.dim)) screen.line(line);
  screen.line('');
}

function print(screen: Screen, { chosen, kept }: Choice, { stay }: KeptFilesOf): void {
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
  for (const [id, why] of stay) screen.line(dim(`the files of ${id} stay: ${why}`));
  if (kept > 0) screen.line(dim(`${count(kept, 'session')} kept: younger, or could still be continued`));
}

interface Outcome {
  readonly project: Project;
  readonly files: KeptFilesOf;
  readonly looked: readonly DiskUse[] | undefined;
  /** Only after something was deleted. */
  readonly shrunk?: Shrunk;
}

function finish(
  screen: Screen,
  { chosen, kept }: Choice,
  options: CleanOptions,
  { project, files, looked, shrunk }: Outcome,
): void {
  if (options.json) {
    const total = chosen.reduce((sum, { size }) => sum + size, 0);
    screen.json({
      deleted: shrunk !== undefined,
      sessions: chosen,
      bytes: total,
      kept,
      filesKept: Object.fromEntries(files.stay),
      ...(looked ? { disk: looked } : {}),
      ...(shrunk ? { databaseFreed: shrunk.freed } : {}),
    });
    return;
  }
  if (shrunk) {
    const smaller = shrunk.freed > 0 ? ` The database is ${bytes(shrunk.freed)} smaller.` : '';
    screen.line(`Deleted ${count(chosen.length, 'session')}.${smaller}`);
  } else if (chosen.length > 0) screen.line('Nothing was deleted.');
  const next = !shrunk && chosen.length > 0 ? project.command('clean', '--yes') : project.command('sessions');
  screen.line(`${screen.style.cyan('next:')} ${next}`);
}
