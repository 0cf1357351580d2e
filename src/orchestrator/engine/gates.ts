import type { BlockId, ResolvedManifest } from '../../manifest/resolved.ts';
import { SUCCESS } from '../../manifest/worker.ts';
import type { SessionState } from '../state/session-state.ts';
import { UNREADABLE } from './tree-port.ts';

export interface ClosedGate {
  readonly block: BlockId;
  readonly why: string;
}

/** The gates that forbid calling the session completed on this tree. Never run counts as closed. */
export function closedGates(
  manifest: ResolvedManifest,
  passed: SessionState['gates'],
  tree: string,
): ClosedGate[] {
  return manifest.gates.flatMap((block) => {
    const last = passed[block];
    if (!last) return [{ block, why: `${block} never ran` }];
    if (last.signal !== SUCCESS) return [{ block, why: `${block} last emitted ${last.signal}` }];
    if (tree.startsWith(UNREADABLE))
      return [{ block, why: `${block} cannot be held against the files, they are ${tree}` }];
    if (last.tree !== tree) return [{ block, why: `${block} passed before the files changed again` }];
    return [];
  });
}
