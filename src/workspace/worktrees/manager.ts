import type { Plans } from '../../backlog/plans.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { UsageError } from '../../kernel/errors.ts';
import { BoundGit } from '../git/bound-git.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import type { Repository } from '../git/repository.ts';
import { type CreatedWorktree, type CreateWorktree, createWorktree } from './create.ts';
import type { Finding } from './finding.ts';
import { collectWorktrees, type GcItem, type GcOptions, viewWorktrees, type WorktreeView } from './gc.ts';
import { isPresent, rootOf, type WorktreeHome, type WorktreeStep } from './home.ts';
import { inspect, type WorktreeHealth } from './inspect.ts';
import type { KnownSession } from './owners.ts';
import { type Rebased, rebaseWork } from './rebase-work.ts';
import { reconcileWorktrees } from './reconcile.ts';
import { readRecord, type WorktreeRecord, writeRecord } from './record.ts';
import { type RemovedWorktree, type RemoveWorktree, removeWorktree } from './remove.ts';
import { restoreWorktree } from './restore.ts';

export interface WorktreeManagerOptions {
  /** Where worktrees go (`LOCAL_WORKTREE_ROOT`); `<checkout>/.loopwright/worktrees` when left out. */
  readonly root?: string | undefined;
  readonly clock?: Clock;
  /** Told before each change, to show what is going on. */
  readonly onStep?: (step: WorktreeStep, id: string) => void;
  /** Binds the manager to a session, whose change plan it extends. */
  readonly plan?: { readonly plans: Pick<Plans, 'add'>; readonly session: string };
}

/**
 * One isolated worktree and branch per session or task.
 * Invariants:
 * 1. The user's checkout, index, stash, branches and hooks are only ever read.
 * 2. What is there in part has a record that says so, and the next one to look finishes it.
 * 3. Uncommitted or unmerged work goes only with `force`.
 */
export class GitWorktreeManager {
  readonly root: string;
  readonly #home: WorktreeHome;
  readonly #plan: WorktreeManagerOptions['plan'];

  constructor(repo: Repository, options: WorktreeManagerOptions = {}) {
    this.root = rootOf(repo, options.root);
    const { clock = systemClock, onStep = () => {} } = options;
    this.#home = { repo, root: this.root, clock, onStep };
    this.#plan = options.plan;
  }

  /** Adds files to the plan of the session it is bound to; everybody who clashes with it is known afterwards. */
  async addToChangePlan(newFiles: readonly string[]): Promise<void> {
    if (!this.#plan) {
      throw new UsageError('This worktree manager is bound to no session, so there is no plan to extend.', {
        next: 'Give it the option `plan` with the plans and the id of the session.',
      });
    }
    await this.#plan.plans.add(this.#plan.session, newFiles);
  }

  create(request: CreateWorktree): Promise<CreatedWorktree> {
    return createWorktree(this.#home, request);
  }

  /** What is known about a worktree without looking at it; undefined when there is none. */
  async find(id: string): Promise<WorktreeRecord | undefined> {
    const record = await readRecord(this.#home.repo.commonDir, id);
    return record?.state === 'ready' || record?.state === 'restoring' ? record : undefined;
  }

  list(): Promise<WorktreeView[]> {
    return viewWorktrees(this.#home);
  }

  async health(id: string): Promise<WorktreeHealth> {
    const record = await this.find(id);
    return record ? (await inspect(this.#home, record)).health : 'missing';
  }

  remove(id: string, options: RemoveWorktree = {}): Promise<RemovedWorktree> {
    return removeWorktree(this.#home, id, options);
  }

  /** Brings a worktree without work in it to where its base is now; false when there is nothing to do. */
  followBase(id: string): Promise<boolean> {
    return followBase(this.#home, id);
  }

  /** Brings the commits of a worktree to where a base is now, or leaves everything as it is and says why. */
  rebase(id: string, base: string): Promise<Rebased> {
    return rebaseWork(this.#home, id, base);
  }

  /** Makes the folder again after it was deleted by hand, from its branch. */
  restore(id: string): Promise<WorktreeRecord> {
    return restoreWorktree(this.#home, id);
  }

  /** At start: makes disk, git and sessions agree. */
  reconcile(sessions: readonly KnownSession[]): Promise<Finding[]> {
    return reconcileWorktrees(this.#home, sessions);
  }

  gc(options: GcOptions): Promise<GcItem[]> {
    return collectWorktrees(this.#home, options);
  }
}

/**
 * Brings a worktree that nobody has worked in yet to where its base branch is now. False when there is nothing
 * to do: it was made from a fixed commit, the base has not moved, or there is work in it already.
 */
async function followBase(home: WorktreeHome, id: string): Promise<boolean> {
  const { repo } = home;
  const record = await readRecord(repo.commonDir, id);
  if (!record || record.followsBase !== true || (await newBase(home, record)) === undefined) return false;
  return withRepoLock(
    repo,
    async () => {
      const base = await newBase(home, record);
      if (base === undefined || !(await isPresent(record.path))) return false;
      // Moved by a process that was killed before it could note it, or still where it was made.
      const git = new BoundGit(record.path);
      const head = await git.out(['rev-parse', 'HEAD']);
      if (head !== record.baseCommit && head !== base) return false;
      // Keeps what setup changed, and refuses where that meets what is new.
      const { code } = await git.try(['reset', '-q', '--keep', base]);
      if (code !== 0) return false;
      await writeRecord(repo.commonDir, { ...record, baseCommit: base });
      return true;
    },
    { purpose: `bringing the worktree ${id} up to its base` },
  );
}

/** The commit of the base branch, when it is another one than the worktree began at. */
async function newBase({ repo }: WorktreeHome, record: WorktreeRecord): Promise<string | undefined> {
  if (record.baseName === undefined) return undefined;
  const ref = `refs/heads/${record.baseName}^{commit}`;
  const { code, stdout } = await new BoundGit(repo.dir).try(['rev-parse', '-q', '--verify', ref]);
  return code === 0 && stdout.trim() !== record.baseCommit ? stdout.trim() : undefined;
}
