import { type BlockId, isEnd, type ResolvedBlock } from '../resolved.ts';

export type Edges = ReadonlyMap<BlockId, readonly BlockId[]>;

/** Where execution can go from a block. A resumed halt counts only where `halts` says so. */
export function successors(block: ResolvedBlock, { halts }: { halts: boolean }): BlockId[] {
  return block.transitions.flatMap(({ action }) => {
    if (action.verb === 'JUMP') return [action.to];
    if (action.verb === 'CALL') return isEnd(action.returnTo) ? [action.to] : [action.to, action.returnTo];
    return action.verb === 'HALT_AND_FLAG' && halts && !isEnd(block.next) ? [block.next] : [];
  });
}

/** Everything that can be reached from the given blocks, themselves included. */
export function reach(from: Iterable<BlockId>, edges: Edges): Set<BlockId> {
  const seen = new Set<BlockId>();
  const open = [...from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...(edges.get(id) ?? []));
  }
  return seen;
}

export function reversed(edges: Edges): Edges {
  const back = new Map<BlockId, BlockId[]>([...edges.keys()].map((id) => [id, []]));
  for (const [from, targets] of edges) for (const to of targets) back.get(to)?.push(from);
  return back;
}

/** The groups of blocks that lead back to themselves, each in the order of declaration. */
export function cycles(edges: Edges): BlockId[][] {
  const back = reversed(edges);
  const grouped = new Set<BlockId>();
  const found: BlockId[][] = [];
  for (const [id, targets] of edges) {
    if (grouped.has(id)) continue;
    const forward = reach(targets, edges);
    if (!forward.has(id)) continue;
    const backward = reach([id], back);
    const group = [...edges.keys()].filter((other) => forward.has(other) && backward.has(other));
    for (const member of group) grouped.add(member);
    found.push(group);
  }
  return found;
}
