import type { Config } from '../../../config/load-config.ts';
import type { GitWorktreeManager } from '../../../workspace/worktrees/manager.ts';
import type { WorktreeRecord } from '../../../workspace/worktrees/record.ts';
import { tearDown } from '../make-ready.ts';

/** Removes the folder of a task that has ended; its branch stays. What is not committed keeps the folder. */
export async function putAwayWorktree(
  config: Config,
  manager: GitWorktreeManager,
  record: WorktreeRecord,
): Promise<void> {
  const health = await manager.health(record.id);
  if (health === 'dirty' || health === 'locked') return;
  await tearDown(config, record);
  await manager.remove(record.id);
}
