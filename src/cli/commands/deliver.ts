import { LoopwrightError, UsageError } from '../../kernel/errors.ts';
import { count } from '../../kernel/words.ts';
import { bringBack } from '../../project/files/bring-back.ts';
import { messageFor } from '../../project/files/delivery-message.ts';
import { type OpenedSession, openKeptSession, refuseOwned } from '../../project/files/opened-session.ts';
import { finishRewind } from '../../project/files/pending-rewind.ts';
import { leavePlans } from '../../project/files/turns.ts';
import { BoundGit } from '../../workspace/checkpoints/bound-git.ts';
import { accept as acceptWork } from '../../workspace/delivery/accept.ts';
import { keep as keepWork } from '../../workspace/delivery/put-away.ts';
import type { Refused } from '../../workspace/delivery/refusal.ts';
import type { Screen } from '../output.ts';

export interface DeliverOptions {
  readonly merge?: true;
  readonly message?: string;
  readonly unproven?: true;
  readonly into?: string;
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
  refuseOwned(kept);
  refuseUnproven(kept, options);
  const { opened, id, path, branch, repo } = kept;
  const base = await baseOf(kept, options.into);
  await findFolder(kept);
  const result = await acceptWork({
    repo: repo.dir,
    worktree: path,
    branch,
    base,
    session: id,
    mode: options.merge ? 'merge' : 'squash',
    message: options.message ?? messageFor(kept.snapshot),
  });
  if (result.kind === 'refused') throw refusal(result);
  await leavePlans(opened.project, id);
  if (options.json) screen.json({ session: id, base, ...result });
  else {
    if (result.kind === 'nothing-to-accept')
      screen.line('The session changed nothing, so there is nothing to accept.');
    else {
      const { files, insertions, deletions } = result.change;
      const verb = result.kind === 'accepted' ? 'Accepted' : 'Accepted already';
      const what = `${count(files.length, 'file')}, +${insertions} -${deletions}`;
      screen.line(`${verb}: ${what}, as ${result.commit.slice(0, 12)} on ${base}.`);
    }
    screen.line(`${screen.style.cyan('next:')} ${opened.project.command('worktrees', 'gc')}`);
  }
  return 0;
}

/** Leaves the work on its branch, all of it committed. */
export async function keep(
  screen: Screen,
  written: string | undefined,
  options: DeliverOptions,
): Promise<number> {
  const kept = await openKeptSession(written, options.dir);
  refuseOwned(kept);
  const { opened, id, worktree, repo, path, branch } = kept;
  await findFolder(kept);
  const result = await keepWork({
    repo: repo.dir,
    base: worktree?.baseCommit ?? (await baseOf(kept, undefined)),
    worktree: path,
    branch,
    session: id,
    message: options.message ?? messageFor(kept.snapshot),
  });
  if (result.kind === 'refused') throw refusal(result);
  await leavePlans(opened.project, id);
  if (options.json) screen.json({ session: id, ...result });
  else {
    const files = count(result.change.files.length, 'changed file');
    screen.line(`Kept ${files} as ${result.commit.slice(0, 12)} on branch ${branch}.`);
    screen.line(`${screen.style.cyan('next:')} ${opened.project.command('diff', id)}`);
  }
  return 0;
}

/** What was not committed yet is only in checkpoints when the folder was deleted by hand. */
async function findFolder({ opened, repo, worktree, present, id, files }: OpenedSession): Promise<void> {
  if (worktree && !present) await bringBack(opened, repo, { id, files });
  else if (worktree) await finishRewind(opened, id, worktree.path);
}

function refuseUnproven({ snapshot, id, opened }: OpenedSession, { unproven }: DeliverOptions): void {
  const { status } = snapshot.state;
  if (status === 'completed' || unproven) return;
  const goOn =
    status === 'aborted' ? '' : `Bring it to its end with \`${opened.project.command('resume', id)}\`, or a`;
  throw new UsageError(`Session ${id} is ${status}: its result is not proven.`, {
    next: `${goOn === '' ? 'A' : goOn}ccept it all the same with --unproven.`,
  });
}

/** The branch that was named, else the one the session started from, else the one that is checked out. */
async function baseOf({ worktree, repo }: OpenedSession, into: string | undefined): Promise<string> {
  if (into !== undefined) return into;
  const started = worktree?.baseName;
  const current = repo.head.kind === 'detached' ? undefined : repo.head.branch;
  const base = started ?? current;
  if (base === undefined) {
    throw new UsageError('There is no branch to accept into: the checkout has a detached HEAD.', {
      next: 'Name one with --into <branch>.',
    });
  }
  const { code } = await new BoundGit(repo.dir).try(['show-ref', '--verify', '-q', `refs/heads/${base}`]);
  if (code === 0) return base;
  throw new UsageError(`The session started from ${base}, which is not a branch of this repository.`, {
    next: 'Name the branch to accept into with --into <branch>.',
  });
}

export function refusal({ message, next, files, output }: Refused): LoopwrightError {
  const list = files.length === 0 ? '' : `\n${files.map((file) => `  ${file}`).join('\n')}`;
  const said = output.trim() === '' ? '' : `\n${output.trim()}`;
  return new LoopwrightError(`${message}${list}${said}`, { next });
}
