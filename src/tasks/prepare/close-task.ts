import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RepositoryMode } from '../../config/runtime/settings.ts';
import { openRepository } from '../../workspace/git/repository.ts';
import { GitWorktreeManager } from '../../workspace/worktrees/manager.ts';
import { RunFolders } from './direct/run-folder.ts';
import { cloneFolder } from './git/github.ts';
import { worktreeIdOf } from './git/names.ts';
import { putAwayWorktree } from './git/put-away.ts';
import type { PrepareOptions } from './prepared.ts';

/** Removes what a task worked in after a person has ended it: approved, cancelled or removed. */
export async function closeTask(
  mode: RepositoryMode,
  options: PrepareOptions,
  taskId: string,
): Promise<void> {
  const { config, repository } = options;
  if (mode === 'direct') return new RunFolders(config.stateDir).forget(taskId);
  const dir = mode === 'github' ? cloneFolder(options) : resolve(config.projectDir, repository.path);
  if (!existsSync(dir)) return;
  const manager = new GitWorktreeManager(await openRepository(dir), { root: config.worktrees.root });
  const record = await manager.find(worktreeIdOf(taskId));
  if (record) await putAwayWorktree(config, manager, record);
}
