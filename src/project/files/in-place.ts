import type { TreePort } from '../../orchestrator/engine/tree-port.ts';
import { compareSnapshots, takeSnapshot } from '../../workspace/snapshot/take-snapshot.ts';
import { createTreeFingerprint } from '../../workspace/tree-fingerprint.ts';

/**
 * The project's own files for a session without a worktree: nothing of them is kept, but what the session does to
 * them from here on is seen.
 */
export async function filesInPlace(dir: string): Promise<TreePort> {
  const files = createTreeFingerprint(dir);
  const before = takeSnapshot(dir);
  const began = await files.fingerprint();
  return {
    identity: () => files.fingerprint(),
    async changes() {
      const { changed, added, removed } = compareSnapshots(before, takeSnapshot(dir));
      const paths = [...changed, ...added, ...removed].sort();
      // A change that the comparison does not see is one all the same.
      return paths.length === 0 && (await files.fingerprint()) !== began ? undefined : paths;
    },
  };
}
