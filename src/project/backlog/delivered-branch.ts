import { resolve } from 'node:path';
import type { Run } from '../../backlog/history.ts';
import type { RepositoryMode } from '../../config/runtime/settings.ts';
import { cloneFolder } from '../../tasks/prepare/git/github.ts';
import type { OpenProject } from '../open.ts';
import { type OpenRuntime, openRuntime } from '../runtime/open-runtime.ts';
import { findTask } from './find-task.ts';

/** Where the work of a task is, as far as its newest run has recorded it. */
export interface DeliveredBranch {
  readonly task: string;
  readonly title: string;
  readonly state: string;
  readonly waitsForVerdict: boolean;
  readonly mode: RepositoryMode;
  /** The repository that its worktree is of; not in direct mode. It may not be there. */
  readonly repo?: string;
  readonly branch?: string;
  /** The branch it is for, and the commit of it that it began from. */
  readonly base?: string;
  readonly baseCommit?: string;
  readonly commit?: string;
  /** The folder it works in; it may be gone. */
  readonly worktree?: string;
  readonly run?: Run;
}

export async function deliveredBranch(opened: OpenProject, written: string): Promise<DeliveredBranch> {
  const { store, settings } = openRuntime(opened);
  try {
    const task = await findTask(store.backlog, written);
    const { artifacts, runs } = await store.backlog.history(task.id);
    const last = (type: string) => artifacts.findLast((artifact) => artifact.type === type);
    const branch = last('branch');
    const { base, baseCommit } = (branch?.data ?? {}) as {
      readonly base?: string;
      readonly baseCommit?: string;
    };
    const mode = last('pr') === undefined ? (task.mode ?? settings.repository.mode) : 'github';
    const run = runs.findLast(({ id }) => id === branch?.runId) ?? runs.at(-1);
    const commit = last('commit')?.ref;
    const worktree = last('worktree')?.ref;
    return {
      task: task.id,
      title: task.title,
      state: task.state,
      waitsForVerdict: task.blockReason === 'awaiting_judge',
      mode,
      ...(mode === 'direct' ? {} : { repo: folderOf(opened, settings.repository, mode) }),
      ...(branch === undefined ? {} : { branch: branch.ref }),
      ...(base === undefined ? {} : { base }),
      ...(baseCommit === undefined ? {} : { baseCommit }),
      ...(commit === undefined ? {} : { commit }),
      ...(worktree === undefined ? {} : { worktree }),
      ...(run === undefined ? {} : { run }),
    };
  } finally {
    store.close();
  }
}

/** In github mode a clone of its own. */
function folderOf(
  { config }: OpenProject,
  repository: OpenRuntime['settings']['repository'],
  mode: RepositoryMode,
): string {
  return mode === 'github'
    ? cloneFolder({ config, repository })
    : resolve(config.projectDir, repository.path);
}
