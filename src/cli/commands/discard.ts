import { UsageError } from '../../kernel/errors.ts';
import { count } from '../../kernel/words.ts';
import { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { type OpenedSession, openKeptSession, refuseOwned } from '../../project/files/opened-session.ts';
import { leavePlans } from '../../project/files/turns.ts';
import { tearDown } from '../../tasks/prepare/teardown.ts';
import { BoundGit } from '../../workspace/checkpoints/bound-git.ts';
import { sessionRefs } from '../../workspace/checkpoints/ref-names.ts';
import { discard as discardWork } from '../../workspace/delivery/put-away.ts';
import { confirm } from '../ask.ts';
import type { Screen } from '../output.ts';
import { refusal } from './deliver.ts';

export interface DiscardOptions {
  readonly yes?: true;
  readonly dir?: string;
  readonly json?: true;
}

/** Throws the work of a session away; one that could still go on is ended with it. */
export async function discard(
  screen: Screen,
  written: string | undefined,
  options: DiscardOptions,
): Promise<number> {
  const kept = await openKeptSession(written, options.dir);
  refuseOwned(kept);
  const { opened, id, worktree, path, branch, repo, manager } = kept;
  if (!(await isAnythingLeft(kept))) {
    await leavePlans(opened.project, id);
    if (options.json) screen.json({ session: id, kind: 'discarded', removed: [], problems: [] });
    else screen.line(`Nothing is left of the files of session ${id}: they were discarded already.`);
    return 0;
  }
  const what = `the worktree, branch and checkpoints of session ${id}${await sizeOf(kept)}`;
  if (!(await mayDiscard(screen, what, options))) return 1;
  const problems = worktree ? await tearDown(opened.config, worktree) : [];
  const result = await discardWork({
    repo: repo.dir,
    worktree: path,
    branch,
    session: id,
    removeWorktree: async () => {
      await manager.remove(id, { force: true });
    },
  });
  if (result.kind === 'refused') throw refusal(result);
  // One whose folder was deleted by hand still has a record.
  await manager.remove(id, { force: true });
  await endSession(kept);
  await leavePlans(opened.project, id);
  if (options.json) screen.json({ session: id, ...result, problems });
  else {
    screen.line(`Discarded ${what}.`);
    for (const problem of problems) screen.line(screen.style.yellow(`! ${problem}`));
    if (result.commit)
      screen.line(screen.style.dim(`git still finds its last commit for a while: ${result.commit}`));
    screen.line(`${screen.style.cyan('next:')} ${opened.project.command('clean', id)}`);
  }
  return 0;
}

async function isAnythingLeft({ id, worktree, branch, repo }: OpenedSession): Promise<boolean> {
  if (worktree) return true;
  const git = new BoundGit(repo.dir);
  const refs = await git.out([
    'for-each-ref',
    '--count=1',
    '--format=%(refname)',
    `refs/heads/${branch}`,
    `${sessionRefs(id)}/`,
  ]);
  return refs !== '';
}

async function sizeOf({ present, checkpoints }: OpenedSession): Promise<string> {
  if (!present) return '';
  return ` (${count((await checkpoints.diff()).files.length, 'changed file')})`;
}

async function mayDiscard(screen: Screen, what: string, options: DiscardOptions): Promise<boolean> {
  if (options.yes) return true;
  if (screen.interactive && !options.json) return confirm(`Delete ${what}?`);
  throw new UsageError(`Nobody can be asked here whether to delete ${what}.`, {
    next: 'Repeat it with --yes.',
  });
}

/** Without its files a session cannot go on. */
async function endSession({ opened, id, snapshot }: OpenedSession): Promise<void> {
  const { status } = snapshot.state;
  if (status === 'completed' || status === 'aborted') return;
  await Orchestrator.open(id, opened.services).abort('its files were discarded');
}
