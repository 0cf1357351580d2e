import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContextSegment } from '../../manifest/segment.ts';
import { makeOwnGitFolder } from '../../process/own-git-folder.ts';
import { readPlainIfThere } from '../../process/plain-file.ts';
import {
  baselinePayload,
  type MakeReadyOptions,
  madeFrom,
  makeReady,
} from '../../tasks/prepare/make-ready.ts';
import { type BeforeWork, lookBeforeWork } from '../../verification/before-work.ts';
import { baselineOf } from '../../workers/checks-used.ts';
import type { Repository } from '../../workspace/git/repository.ts';
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
  await noteBeforeWork(created.path, join(created.path, repo.prefix));
  return { created, payload: baselinePayload(baseline), notes };
}

const BEFORE = 'before-work.json';

/** Beside git's entry for the worktree, where no agent can write. */
async function noteBeforeWork(path: string, root: string): Promise<void> {
  const gitDir = await gitDirNamedIn(path);
  if (gitDir === undefined) return;
  await writeFile(join(makeOwnGitFolder(gitDir), BEFORE), JSON.stringify(lookBeforeWork(root)));
}

/** What no change of a worktree shows, as it was when it was made; undefined: nobody looked. */
export async function readBeforeWork(path: string): Promise<BeforeWork | undefined> {
  const gitDir = await gitDirNamedIn(path);
  const text = gitDir === undefined ? undefined : readPlainIfThere(join(makeOwnGitFolder(gitDir), BEFORE));
  return text === undefined ? undefined : (JSON.parse(text) as BeforeWork);
}
