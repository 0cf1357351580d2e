import { join } from 'node:path';
import type { Claim } from '../../../backlog/scheduler.ts';
import type { RepositoryMode } from '../../../config/runtime/settings.ts';
import { keptFiles } from '../../../workspace/checkpoints/kept-files.ts';
import { BoundGit } from '../../../workspace/git/bound-git.ts';
import { inspectionOf } from '../inspection.ts';
import { baselinePayload } from '../make-ready.ts';
import type { Delivered, DeliveryRequest, Prepare, PreparedTree, PrepareOptions } from '../prepared.ts';
import { type Committed, commitTask, sizeOf } from './deliver-commit.ts';
import { guardedFiles } from './guarded-files.ts';
import { localPlace } from './place.ts';
import { putAwayWorktree } from './put-away.ts';
import { gitTaskTree } from './task-tree.ts';
import { openTaskWorktree, type TaskWorktree } from './task-worktree.ts';

/** Works in a worktree of a local repository; the result is a commit on the task's branch, nothing is pushed. */
export function localGit(options: PrepareOptions): Prepare {
  return async (claim, cancel) => {
    const tree = await openTaskWorktree(await localPlace(options), options, claim, cancel);
    const deliver = async (request: DeliveryRequest) => {
      const committed = await commitTask(tree, options, claim, request);
      return deliveredLocally({ ...committed, notes: [...committed.notes, ...(await baseMoved(tree))] });
    };
    return { ...onGit(tree, options, claim, 'local-git'), deliver };
  };
}

/** A person may have done it, or the agent: in a worktree every branch of the repository is in reach. */
async function baseMoved({ place, record }: TaskWorktree): Promise<string[]> {
  const { repo, baseName } = place;
  const ref = ['rev-parse', '--verify', '--quiet', `refs/heads/${baseName}`];
  const { code, stdout } = await new BoundGit(repo.dir).try(ref);
  const now = stdout.trim();
  if (code !== 0 || now === record.baseCommit) return [];
  const [from, to] = [record.baseCommit.slice(0, 12), now.slice(0, 12)];
  return [
    `${baseName} was moved from ${from} to ${to} since the task began; its checks have not seen the two together`,
  ];
}

function deliveredLocally({ change, artifacts, notes }: Committed): Delivered {
  const more = notes.length === 0 ? {} : { data: { notes } };
  if (change.files.length === 0) {
    return {
      artifacts,
      review: false,
      summary: 'Nothing was changed, so there is nothing to review.',
      ...more,
    };
  }
  const summary = `${sizeOf(change)} on branch ${change.branch}, as ${change.commit.slice(0, 12)}.`;
  return { artifacts, review: true, summary, ...more };
}

/** What local-git and github mode have in common: all but where the task comes from and goes to. */
export function onGit(
  tree: TaskWorktree,
  options: PrepareOptions,
  claim: Claim,
  mode: Exclude<RepositoryMode, 'direct'>,
): Omit<PreparedTree, 'deliver'> {
  const { record, place, manager, checkpoints } = tree;
  const path = join(record.path, place.repo.prefix);
  const onChanged = async (paths: readonly string[]) => options.onChanged?.(claim, paths);
  return {
    path,
    taskTree: gitTaskTree(tree, mode),
    tree: guardedFiles(keptFiles(checkpoints, onChanged, tree.untouched), tree, options, claim.runId),
    guard: tree.guard,
    inspection: inspectionOf(options.config, place.repo, {
      id: record.id,
      base: async () => record.baseCommit,
      delivered: () => checkpoints.tree(),
      before: async () => tree.before,
      folder: record.path,
      from: place.from,
    }),
    payload: baselinePayload(tree.baseline),
    notes: tree.notes,
    async close({ ended = false } = {}) {
      if (!ended) return;
      await putAwayWorktree(options.config, manager, record);
    },
  };
}
