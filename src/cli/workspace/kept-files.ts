import type { TreePort } from '../../orchestrator/engine/tree-port.ts';
import { TreeCheckpoints } from '../../workspace/checkpoints/tree-checkpoints.ts';
import type { ChangePlans } from '../../workspace/plan/change-plans.ts';

/**
 * The files of a session in its worktree, kept as checkpoints. What a step really changed becomes part of the
 * session's change plan, so that others learn of it.
 */
export function keptFiles(worktree: string, session: string, plans: ChangePlans): TreePort {
  const checkpoints = new TreeCheckpoints(worktree, session);
  return {
    identity: () => checkpoints.tree(),
    async save(step) {
      const saved = await checkpoints.save(step);
      if (saved === 'unchanged') return undefined;
      if (step > 0 && saved.changed.length > 0) await plans.add(session, saved.changed);
      return saved.commit;
    },
    async restore(checkpoint) {
      await checkpoints.restore(checkpoint);
    },
  };
}
