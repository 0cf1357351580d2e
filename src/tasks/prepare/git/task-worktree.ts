import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Claim } from '../../../backlog/scheduler.ts';
import { errorCode, NotFoundError, UsageError } from '../../../kernel/errors.ts';
import { makeOwnGitFolder } from '../../../process/own-git-folder.ts';
import { ProjectSandbox } from '../../../process/sandbox/project-sandbox.ts';
import type { Baseline } from '../../../verification/baseline.ts';
import { type BeforeWork, lookBeforeWork } from '../../../verification/before-work.ts';
import { headOf } from '../../../workspace/checkpoints/commit.ts';
import { TreeCheckpoints } from '../../../workspace/checkpoints/tree-checkpoints.ts';
import { BoundGit } from '../../../workspace/git/bound-git.ts';
import { type Watched, watchRepository } from '../../../workspace/git/watch-repository.ts';
import { SessionGuard } from '../../../workspace/guard/session-guard.ts';
import { besideTree } from '../../../workspace/inspection/undelivered.ts';
import { gitDirNamedIn } from '../../../workspace/worktrees/admin-entry.ts';
import { healWorktree } from '../../../workspace/worktrees/heal-worktree.ts';
import { GitWorktreeManager } from '../../../workspace/worktrees/manager.ts';
import { noteOwner } from '../../../workspace/worktrees/owners.ts';
import type { Rebased } from '../../../workspace/worktrees/rebase-work.ts';
import type { WorktreeRecord } from '../../../workspace/worktrees/record.ts';
import { setupKey } from '../dependencies.ts';
import { hasSetup, type MakeReadyOptions, madeFrom, makeReady, setUp } from '../make-ready.ts';
import type { PrepareOptions } from '../prepared.ts';
import { redoSetUp } from '../redo-setup.ts';
import { branchOf, worktreeIdOf } from './names.ts';
import type { Place } from './place.ts';

/** The worktree of a task, which all its runs share. */
export interface TaskWorktree {
  readonly place: Place;
  readonly manager: GitWorktreeManager;
  readonly record: WorktreeRecord;
  /** Git's own entry for it, which its `.git` must name. */
  readonly gitDir: string;
  /** Its files, looked at in turn by everybody who asks. */
  readonly checkpoints: TreeCheckpoints;
  /** Of the untouched tree. */
  readonly baseline: Baseline | null;
  /** What no change shows, when the tree was made ready. */
  readonly before: BeforeWork;
  /** What made git run programs when the tree was made ready. */
  readonly watched: Watched;
  /** Watches over the repository while the task is at work. */
  readonly guard: SessionGuard;
  readonly notes: readonly string[];
  /** The tree of a worktree that was made just now and in which nothing has been run. */
  readonly untouched?: string | undefined;
}

/** Where things go that had to make way. */
export function asideOf({ config }: PrepareOptions, runId: string): string {
  return join(config.stateDir, 'trash', runId);
}

/** Finds, heals, makes again or makes the worktree of a task, with setup and baseline done exactly once. */
export async function openTaskWorktree(
  place: Place,
  options: PrepareOptions,
  claim: Claim,
  cancel: AbortSignal,
): Promise<TaskWorktree> {
  const { repo, base, baseName } = place;
  const { task, runId, sessionId, continues } = claim;
  const { config } = options;
  const guard = guardFor(repo.dir, config, sessionId, continues);
  const manager = new GitWorktreeManager(repo, { root: place.worktrees });
  const id = worktreeIdOf(task.id);
  noteOwner(repo, config.projectDir, id);
  const notes = [...place.notes];
  const known = await manager.find(id);
  const branch = branchOf(task.id);
  if (!known) await manager.create({ id, base, baseName, branch, continueBranch: true, leaveCheckout: true });
  else if (existsSync(known.path)) {
    notes.push(...(await healWorktree(repo, known, { aside: asideOf(options, runId) })));
  } else {
    await manager.restore(id);
    notes.push('the folder of the task was gone and was made again from its branch');
  }
  // A session that continues has checkpoints of the files as they are; a new attempt begins with what is there now.
  const moved = known && !continues ? await manager.rebase(id, base) : 'up-to-date';
  notes.push(...baseNotes(moved, baseName));
  const record = await manager.find(id);
  if (!record) throw new NotFoundError(`The worktree ${id} is gone again.`, { next: 'Run the task again.' });
  const ready = await readyOnce(place, options, record, {
    cancel,
    again: moved === 'rebased',
    checks: (folder) => options.checks?.(claim, folder) ?? [],
  });
  const checkpoints = new TreeCheckpoints(record.path, sessionId);
  const untouched = known ? undefined : ready.untouched;
  return {
    place,
    manager,
    record,
    checkpoints,
    guard,
    ...ready,
    notes: [...notes, ...ready.notes],
    untouched,
  };
}

/** Looks at once, before setup and checks run. */
function guardFor(
  repoDir: string,
  { stateDir, sandbox }: PrepareOptions['config'],
  session: string,
  crashed: boolean,
) {
  const walls = new ProjectSandbox(sandbox);
  const sessionDir = join(stateDir, 'sessions', session);
  const isWalled = () => walls.isWalled();
  return new SessionGuard({ repoDir, stateDir, sessionDir, treeIsHealed: true, isWalled }, { crashed });
}

function baseNotes(moved: Rebased, base: string): string[] {
  const stays = `${base} has moved, but the task continues from where it started`;
  switch (moved) {
    case 'rebased':
      return [`${base} has moved: the work of the task was brought to where it is now`];
    case 'conflicts':
      return [`${stays}: its work cannot be brought along without a conflict`];
    case 'unclean':
      return [`${stays}: an earlier attempt left files that are not committed`];
    default:
      return [];
  }
}

type ReadyOptions = Required<Pick<MakeReadyOptions, 'checks'>> & {
  readonly cancel: AbortSignal;
  readonly again: boolean;
};

/**
 * What making it ready gave is kept beside git's entry for the worktree and goes with it. It is written last: a
 * kill before that makes it ready again, and no agent has been there yet.
 */
async function readyOnce(
  { repo, from }: Place,
  { config, checkTimeoutMs }: PrepareOptions,
  record: WorktreeRecord,
  { cancel, again, checks }: ReadyOptions,
): Promise<Pick<TaskWorktree, 'gitDir' | 'baseline' | 'before' | 'watched' | 'notes' | 'untouched'>> {
  const gitDir = (await gitDirNamedIn(record.path)) ?? join(record.path, '.git');
  const file = join(makeOwnGitFolder(gitDir), 'task.json');
  const tree = { ...madeFrom(repo, record), from, baseCommit: record.baseCommit };
  const setup = setupKey(config, tree);
  const kept = await readKept(file);
  if (kept && !again) {
    const { setup: madeWith = setup, ...as } = kept;
    if (madeWith === setup) return { gitDir, ...as, notes: [] };
    const redone = await redoSetUp(config, tree, { before: as.before, cancel });
    await keep(file, { ...as, before: redone.before, setup });
    return { gitDir, ...as, ...redone };
  }
  const head = await headOf(new BoundGit(record.path));
  // A branch that is continued is not untouched: nothing can be said about what was red before.
  const isUntouched = head?.commit === record.baseCommit;
  const { baseline, notes } = isUntouched
    ? await makeReady(config, tree, { cancel, checks, checkTimeoutMs })
    : { baseline: null, notes: await setUp(config, tree, cancel) };
  if (cancel.aborted) throw new UsageError('It was interrupted before the task began.');
  // What an attempt may have changed is still held against how it was before the first one.
  const watched = kept?.watched ?? (await watchRepository(repo.commonDir));
  const before = kept?.before ?? {
    ...lookBeforeWork(join(record.path, repo.prefix)),
    beside: await besideTree(new BoundGit(record.path), 'HEAD', record.path),
  };
  await keep(file, { baseline, before, watched, setup });
  const isAsMade = baseline?.checks.length === 0 && !hasSetup(config, tree);
  return { gitDir, baseline, before, watched, notes, untouched: isAsMade ? head?.tree : undefined };
}

interface Kept extends Pick<TaskWorktree, 'baseline' | 'before' | 'watched'> {
  /** What it was made ready with; absent in what an earlier version wrote. */
  readonly setup?: string;
}

async function keep(file: string, kept: Kept): Promise<void> {
  await writeFile(`${file}.draft`, JSON.stringify(kept));
  await rename(`${file}.draft`, file);
}

async function readKept(file: string): Promise<Kept | undefined> {
  try {
    const { baseline, before, watched, setup } = JSON.parse(await readFile(file, 'utf8'));
    return { baseline, before, watched, setup };
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
