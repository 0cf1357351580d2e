import { successors, walk } from '../compile/flow.ts';
import type { BlockId, ResolvedManifest, ResolvedNode } from '../resolved.ts';

export function edgeKey(from: BlockId, to: BlockId): string {
  return `${from}\n${to}`;
}

/** The arrows that lead to a block which is still open on the way there, walking from the entry of each node. */
export function backEdges(manifest: ResolvedManifest, nodes: readonly ResolvedNode[]): Set<string> {
  const edges = new Map(
    Object.values(manifest.blocks).map((block) => [block.id, successors(block, { halts: false })]),
  );
  const found = new Set<string>();
  const starts = nodes.flatMap((node) => [node.entry, ...node.order]);
  walk(edges, { back: (from, to) => found.add(edgeKey(from, to)) }, starts);
  return found;
}
