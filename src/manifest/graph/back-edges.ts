import { successors } from '../compile/flow.ts';
import type { BlockId, ResolvedManifest, ResolvedNode } from '../resolved.ts';

export function edgeKey(from: BlockId, to: BlockId): string {
  return `${from}\n${to}`;
}

/** The arrows that lead to a block which is still open on the way there, walking from the entry of each node. */
export function backEdges(manifest: ResolvedManifest, nodes: readonly ResolvedNode[]): Set<string> {
  const back = new Set<string>();
  const state = new Map<BlockId, 'open' | 'done'>();
  for (const start of nodes.flatMap((node) => [node.entry, ...node.order])) {
    if (state.has(start)) continue;
    // A stack of our own: a chain of blocks may be longer than the call stack.
    const way = [{ id: start, rest: targets(manifest, start) }];
    state.set(start, 'open');
    for (let here = way.at(-1); here; here = way.at(-1)) {
      const to = here.rest.shift();
      if (to === undefined) {
        state.set(here.id, 'done');
        way.pop();
      } else if (state.get(to) === 'open') back.add(edgeKey(here.id, to));
      else if (!state.has(to)) {
        state.set(to, 'open');
        way.push({ id: to, rest: targets(manifest, to) });
      }
    }
  }
  return back;
}

function targets(manifest: ResolvedManifest, id: BlockId): BlockId[] {
  const block = manifest.blocks[id];
  return block ? successors(block, { halts: false }) : [];
}
