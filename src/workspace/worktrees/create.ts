import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ConflictError } from '../../kernel/errors.ts';
import { BoundGit } from '../git/bound-git.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import { submodulesOf } from '../git/repository.ts';
import { checkBranchName, resolveStart, type Start } from '../git/resolve-start.ts';
import { type Change, changesIn } from './changes.ts';
import { captureChanges, layChanges, refuseCopy } from './copy-changes.ts';
import { branchTaken, explainFailedAdd, isBranchTaken } from './create-errors.ts';
import { eraseWorktree, finishLeftover } from './erase.ts';
import { isPresent, keepOutOfStatus, type WorktreeHome } from './home.ts';
import { checkWorktreeId, readRecord, type WorktreeRecord, writeRecord } from './record.ts';

export interface CreateWorktree {
  readonly id: string;
  /** A branch, tag or commit; the checkout's own commit when left out. */
  readonly base?: string;
  /** The branch that the work is meant for, where `base` does not name it. */
  readonly baseName?: string;
  /** Nobody chose the commit: until there is work in it, the worktree may be brought up to its base branch. */
  readonly followsBase?: boolean;
  /** `loopwright/<id>` when left out. */
  readonly branch?: string;
  /** A branch of that name that exists already is continued. */
  readonly continueBranch?: boolean;
  /** Copies the checkout's uncommitted changes in. */
  readonly includeDirty?: boolean;
  /** Nobody asks what the checkout has not committed: it is not looked at, and no changes are named. */
  readonly leaveCheckout?: boolean;
}

export interface CreatedWorktree {
  readonly id: string;
  readonly path: string;
  readonly branch: string;
  readonly baseCommit: string;
  /** Uncommitted changes of the checkout it was made from, and whether they were copied in. */
  readonly dirty: { readonly changes: readonly Change[]; readonly included: boolean };
  /** Left alone: their folders are empty in the worktree. */
  readonly submodules: readonly string[];
}

/** Most of adding a worktree is writing files: let git do it in several processes. An older git ignores this. */
const SIDE_BY_SIDE = ['-c', `checkout.workers=${Math.min(availableParallelism(), 4)}`];

/**
 * Adds a worktree with its branch. Either it is there completely, or a record in state `creating` says that
 * what is there in part is to be undone. The checkout it is made from is only read.
 */
export function createWorktree(home: WorktreeHome, request: CreateWorktree): Promise<CreatedWorktree> {
  checkWorktreeId(request.id);
  const { repo } = home;
  return withRepoLock(repo, () => create(home, request), { purpose: `adding the worktree ${request.id}` });
}

async function create(home: WorktreeHome, request: CreateWorktree): Promise<CreatedWorktree> {
  const { repo } = home;
  const { id, branch = `loopwright/${id}`, includeDirty = false, leaveCheckout = false } = request;
  if (request.branch !== undefined) await checkBranchName(repo, branch);
  await finishLeftover(home, id);
  const start = await resolveStart(repo, request.base, branch);
  const record = await draft(home, request, branch, start);
  if (includeDirty) refuseCopy(repo.dir, start, await changesOf(home));
  await keepOutOfStatus(home);
  const changes = await add(home, record, { includeDirty, leaveCheckout });
  const submodules = await submodulesOf(record.path);
  return {
    id,
    path: record.path,
    branch,
    baseCommit: record.baseCommit,
    dirty: { changes, included: includeDirty && changes.length > 0 },
    submodules,
  };
}

async function draft(
  home: WorktreeHome,
  { id, base, baseName = base, continueBranch = false, followsBase = false }: CreateWorktree,
  branch: string,
  start: Start,
): Promise<WorktreeRecord> {
  const path = join(home.root, id);
  if (await readRecord(home.repo.commonDir, id)) {
    throw new ConflictError(`There is a worktree ${id} already.`, {
      next: `Use it, or remove it first: ${path}`,
    });
  }
  if (start.branchAt !== undefined && !continueBranch) throw branchTaken(branch);
  if (await isPresent(path)) {
    throw new ConflictError(`${path} exists already and is no worktree of ours.`, {
      next: 'Move it away, or choose another id.',
    });
  }
  return {
    id,
    path,
    branch,
    ownBranch: start.branchAt === undefined,
    baseCommit: await leftBaseAt(home, start),
    ...(baseName === undefined ? {} : { baseName }),
    ...(followsBase ? { followsBase } : {}),
    createdAt: home.clock.now(),
    state: 'creating',
  };
}

/** Where the work begins: at the base, or where a branch that is continued left it. */
async function leftBaseAt({ repo }: WorktreeHome, { commit, branchAt }: Start): Promise<string> {
  if (branchAt === undefined) return commit;
  const { code, stdout } = await new BoundGit(repo.dir).try(['merge-base', commit, branchAt]);
  return code === 0 ? stdout.trim() : commit;
}

async function changesOf({ repo }: WorktreeHome): Promise<Change[]> {
  return repo.top === undefined ? [] : changesIn(repo.top);
}

/** Gives what the checkout it is made from has not committed. */
async function add(
  home: WorktreeHome,
  record: WorktreeRecord,
  { includeDirty, leaveCheckout }: { readonly includeDirty: boolean; readonly leaveCheckout: boolean },
): Promise<Change[]> {
  const { repo, onStep } = home;
  const { id, path, branch, baseCommit, ownBranch } = record;
  try {
    onStep('recording', id);
    await writeRecord(repo.commonDir, record);
    const captured = includeDirty ? await captureChanges(repo) : undefined;
    onStep('adding', id);
    const how = ownBranch ? ['--no-track', '-b', branch, path, baseCommit] : [path, branch];
    const args = [
      ...SIDE_BY_SIDE,
      'worktree',
      'add',
      '--quiet',
      ...(captured ? ['--no-checkout'] : []),
      ...how,
    ];
    // One git looks at the checkout while the other writes; both have ended before anything is undone.
    const [added, changes] = await Promise.allSettled([
      new BoundGit(repo.dir).raw(args),
      leaveCheckout ? [] : changesOf(home),
    ]);
    if (added.status === 'rejected') throw added.reason;
    if (changes.status === 'rejected') throw changes.reason;
    if (captured) {
      onStep('copying-changes', id);
      await layChanges(path, captured);
    }
    onStep('finishing', id);
    await writeRecord(repo.commonDir, { ...record, state: 'ready' });
    return changes.value;
  } catch (error) {
    // What cannot be undone now (the disk is gone, say) stays recorded and is undone by the next run.
    await eraseWorktree(home, { ...record, ownBranch: ownBranch && !isBranchTaken(error) }).catch(
      () => undefined,
    );
    throw await explainFailedAdd(error, home, record);
  }
}
