import type { BlockId, ResolvedManifest } from '../../manifest/resolved.ts';
import { type Doubt, FAILURE, SUCCESS } from '../../manifest/worker.ts';
import type { GateState, SessionState } from '../state/session-state.ts';
import { isIdentity, UNREADABLE } from './tree-port.ts';

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
    if (last.doubt) return [{ block, why: `${block} passed, but ${last.doubt.why}` }];
    if (tree.startsWith(UNREADABLE))
      return [{ block, why: `${block} cannot be held against the files, they are ${tree}` }];
    if (last.tree !== tree) {
      const both = `on ${shortTree(last.tree)}, and they are ${shortTree(tree)} now`;
      return [{ block, why: `${block} passed before the files changed again: ${both}` }];
    }
    return [];
  });
}

function shortTree(tree: string): string {
  return tree === '' ? 'files nobody looked at' : tree.slice(0, 12);
}

/**
 * Why what a gate says now is no evidence. Red and then green on the same files is a flake, whoever ran in between;
 * two greens in a row on them lift that. A worker that has looked by itself decides.
 */
export function doubtOf(
  before: GateState | undefined,
  now: Pick<GateState, 'signal' | 'tree'>,
  said: Doubt | null | undefined,
): Doubt | undefined {
  if (said !== undefined) return said ?? undefined;
  if (now.signal !== SUCCESS) return undefined;
  const wasRed = before?.signal === FAILURE && before.tree === now.tree && isIdentity(now.tree);
  if (!wasRed) return undefined;
  return { kind: 'flaky', why: 'it had failed on the very same files: red, then green, without a change' };
}
