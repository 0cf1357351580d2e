import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContextSegment } from '../../manifest/segment.ts';
import { makeOwnGitFolder } from '../../process/own-git-folder.ts';
import { readPlainIfThere } from '../../process/plain-file.ts';
import { setupKey } from '../../tasks/prepare/dependencies.ts';
import {
  baselinePayload,
  type MakeReadyOptions,
  madeFrom,
  makeReady,
} from '../../tasks/prepare/make-ready.ts';
import { redoSetUp } from '../../tasks/prepare/redo-setup.ts';
import { type BeforeWork, lookBeforeWork } from '../../verification/before-work.ts';
import { baselineOf } from '../../workers/checks-used.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import type { Repository } from '../../workspace/git/repository.ts';
import { besideTree } from '../../workspace/inspection/undelivered.ts';
import { gitDirNamedIn } from '../../workspace/worktrees/admin-entry.ts';
import type { CreatedWorktree } from '../../workspace/worktrees/create.ts';
import type { GitWorktreeManager } from '../../workspace/worktrees/manager.ts';
import type { OpenProject } from '../open.ts';
import type { Unmade } from './unmade-worktree.ts';

export interface Made {
  readonly created: CreatedWorktree;
  readonly payload: readonly ContextSegment[];
  readonly notes: readonly string[];
}

interface Making extends Unmade {
  readonly id: string;
  readonly includeDirty: boolean;
}

/** Worktree, setup and the first run of the checks; undefined when it was cancelled, and then nothing of it stays. */
export async function makeWorktree(
  { config }: OpenProject,
  repo: Repository,
  manager: GitWorktreeManager,
  { id, base, baseName, followsBase, includeDirty, checks = [] }: Making,
  ready: MakeReadyOptions = {},
): Promise<Made | undefined> {
  const remove = () => manager.remove(id, { force: true, deleteBranch: true });
  // One that was being made when its process died; nobody has worked in it.
  if (await manager.find(id)) await remove();
  const created = await manager.create({
    id,
    includeDirty,
    followsBase,
    ...(base === undefined ? {} : { base }),
    ...(baseName === undefined ? {} : { baseName }),
  });
  const fresh = { ...madeFrom(repo, created), baseCommit: created.baseCommit };
  const { baseline, notes } = await makeReady(config, fresh, {
    ...ready,
    checks: baselineOf(checks, config.commands),
  });
  if (ready.cancel?.aborted) {
    await remove();
    return undefined;
  }
  const root = join(created.path, repo.prefix);
  const beside = await besideTree(new BoundGit(created.path), created.baseCommit, created.path);
  await noteBeforeWork(created.path, { ...lookBeforeWork(root), beside, setup: setupKey(config, fresh) });
  return { created, payload: baselinePayload(baseline), notes };
}

const BEFORE = 'before-work.json';

/** Beside git's entry for the worktree, where no agent can write. */
async function noteBeforeWork(path: string, noted: Noted): Promise<void> {
  const gitDir = await gitDirNamedIn(path);
  if (gitDir === undefined) return;
  await writeFile(join(makeOwnGitFolder(gitDir), BEFORE), JSON.stringify(noted));
}

type Noted = BeforeWork & {
  /** What it was made ready with; absent in what an earlier version wrote. */
  readonly setup?: string;
};

/** Sets a worktree up again if the settings say something else than when that was done last; gives what to tell. */
export async function takeUpSetup(
  { config }: OpenProject,
  repo: Repository,
  worktree: { readonly id: string; readonly path: string },
): Promise<readonly string[]> {
  const noted: Noted | undefined = await readBeforeWork(worktree.path);
  const tree = madeFrom(repo, worktree);
  const setup = setupKey(config, tree);
  if (noted?.setup === undefined || noted.setup === setup) return [];
  const { notes, before } = await redoSetUp(config, tree, { before: noted });
  await noteBeforeWork(worktree.path, { ...before, setup });
  return notes;
}

/** What no change of a worktree shows, as it was when it was made; undefined: nobody looked. */
export async function readBeforeWork(path: string): Promise<BeforeWork | undefined> {
  const gitDir = await gitDirNamedIn(path);
  const text = gitDir === undefined ? undefined : readPlainIfThere(join(makeOwnGitFolder(gitDir), BEFORE));
  return text === undefined ? undefined : (JSON.parse(text) as BeforeWork);
}
