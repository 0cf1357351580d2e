import { LoopwrightError, UsageError } from '../../kernel/errors.ts';
import { accept as acceptWork } from '../../workspace/delivery/accept.ts';
import { discard as discardWork, keep as keepWork } from '../../workspace/delivery/put-away.ts';
import type { Refused } from '../../workspace/delivery/refusal.ts';
import { confirm } from '../ask.ts';
import { count } from '../display/words.ts';
import type { Screen } from '../output.ts';
import { messageFor } from '../workspace/delivery-message.ts';
import { type OpenedSession, openKeptSession, refuseRunning } from '../workspace/opened-session.ts';
import { openPlans } from '../workspace/turns.ts';

export interface DeliverOptions {
  readonly merge?: true;
  readonly message?: string;
  readonly unproven?: true;
  readonly into?: string;
  readonly yes?: true;
  readonly dir?: string;
  readonly json?: true;
}

/** Brings the work of a session into its base branch. */
export async function accept(
  screen: Screen,
  written: string | undefined,
  options: DeliverOptions,
): Promise<number> {
  const kept = await openKeptSession(written, options.dir);
  refuseRunning(kept);
  refuseUnproven(kept, options);
  const { opened, id, worktree, repo } = kept;
  const result = await acceptWork({
    repo: repo.dir,
    worktree: worktree.path,
    branch: worktree.branch,
    base: baseOf(kept, options.into),
    session: id,
    mode: options.merge ? 'merge' : 'squash',
    message: options.message ?? messageFor(kept.snapshot),
  });
  if (result.kind === 'refused') throw refusal(result);
  await leavePlan(kept);
  if (options.json) screen.json({ session: id, ...result });
  else {
    if (result.kind === 'nothing-to-accept')
      screen.line('The session changed nothing, so there is nothing to accept.');
    else {
      const { files, insertions, deletions } = result.change;
      const verb = result.kind === 'accepted' ? 'Accepted' : 'Accepted already';
      screen.line(
        `${verb}: ${count(files.length, 'file')}, +${insertions} -${deletions}, as ${result.commit.slice(0, 12)} on ${baseOf(kept, options.into)}.`,
      );
    }
    screen.line(`${screen.style.cyan('next:')} ${opened.project.command('worktrees', 'gc')}`);
  }
  return 0;
}

/** Throws the work of a session away. */
export async function discard(
  screen: Screen,
  written: string | undefined,
  options: DeliverOptions,
): Promise<number> {
  const kept = await openKeptSession(written, options.dir);
  refuseRunning(kept);
  const { opened, id, worktree, repo, manager } = kept;
  const change = await kept.checkpoints.diff();
  const what = `the worktree, branch and checkpoints of session ${id} (${count(change.files.length, 'changed file')})`;
  if (!(await mayDiscard(screen, what, options))) return 1;
  const result = await discardWork({
    repo: repo.dir,
    worktree: worktree.path,
    branch: worktree.branch,
    session: id,
    removeWorktree: async () => {
      await manager.remove(id, { force: true });
    },
  });
  if (result.kind === 'refused') throw refusal(result);
  await leavePlan(kept);
  if (options.json) screen.json({ session: id, ...result });
  else {
    screen.line(`Discarded ${what}.`);
    if (result.commit)
      screen.line(screen.style.dim(`git still finds its last commit for a while: ${result.commit}`));
    screen.line(`${screen.style.cyan('next:')} ${opened.project.command('clean', id)}`);
  }
  return 0;
}

async function mayDiscard(screen: Screen, what: string, options: DeliverOptions): Promise<boolean> {
  if (options.yes) return true;
  if (screen.interactive && !options.json) return confirm(`Delete ${what}?`);
  throw new UsageError(`Nobody can be asked here whether to delete ${what}.`, {
    next: 'Repeat it with --yes.',
  });
}

/** Leaves the work on its branch, all of it committed. */
export async function keep(
  screen: Screen,
  written: string | undefined,
  options: DeliverOptions,
): Promise<number> {
  const kept = await openKeptSession(written, options.dir);
  refuseRunning(kept);
  const { opened, id, worktree, repo } = kept;
  const result = await keepWork({
    repo: repo.dir,
    base: worktree.baseCommit,
    worktree: worktree.path,
    branch: worktree.branch,
    session: id,
    message: options.message ?? messageFor(kept.snapshot),
  });
  if (result.kind === 'refused') throw refusal(result);
  await leavePlan(kept);
  if (options.json) screen.json({ session: id, ...result });
  else {
    screen.line(
      `Kept ${count(result.change.files.length, 'changed file')} as ${result.commit.slice(0, 12)} on branch ${worktree.branch}.`,
    );
    screen.line(`${screen.style.cyan('next:')} ${opened.project.command('worktrees', 'gc')}`);
  }
  return 0;
}

function refuseUnproven({ snapshot, id, opened }: OpenedSession, { unproven }: DeliverOptions): void {
  const { status } = snapshot.state;
  if (status === 'completed' || unproven) return;
  throw new UsageError(`Session ${id} is ${status}: its result is not proven.`, {
    next: `Bring it to its end with \`${opened.project.command('resume', id)}\`, or accept it all the same with --unproven.`,
  });
}

function baseOf({ worktree, repo }: OpenedSession, into: string | undefined): string {
  const current = repo.head.kind === 'detached' ? undefined : repo.head.branch;
  const base = into ?? worktree.baseName ?? current;
  if (base !== undefined) return base;
  throw new UsageError('There is no branch to accept into: the checkout has a detached HEAD.', {
    next: 'Name one with --into <branch>.',
  });
}

async function leavePlan({ opened, id }: OpenedSession): Promise<void> {
  const { plans, database } = openPlans(opened.project);
  await plans.leave(id);
  database.close();
}

function refusal({ message, next, files, output }: Refused): LoopwrightError {
  const list = files.length === 0 ? '' : `\n${files.map((file) => `  ${file}`).join('\n')}`;
  const said = output.trim() === '' ? '' : `\n${output.trim()}`;
  return new LoopwrightError(`${message}${list}${said}`, { next });
}
