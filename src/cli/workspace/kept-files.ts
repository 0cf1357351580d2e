import type { TreePort } from '../../orchestrator/engine/tree-port.ts';
import { TreeCheckpoints } from '../../workspace/checkpoints/tree-checkpoints.ts';
import type { GitWorktreeManager } from '../../workspace/worktrees/manager.ts';

/**
 * The files of a session in its worktree, kept as checkpoints. What a step really changed becomes part of the
 * session's change plan, so that others learn of it.
 */
export function keptFiles(worktree: string, session: string, manager: GitWorktreeManager): TreePort {
  const checkpoints = new TreeCheckpoints(worktree, session);
  return {
    identity: () => checkpoints.tree(),
    async save(step, task) {
      const saved = await checkpoints.save(step, task === undefined ? {} : { task });
      if (saved === 'unchanged') return undefined;
      if (step > 0 && saved.changed.length > 0) await manager.addToChangePlan(saved.changed);
      return saved.commit;
    },
    async restore(checkpoint) {
      await checkpoints.restore(checkpoint);
    },
  };
}
