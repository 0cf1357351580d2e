import { type BlockId, isEnd, type ResolvedBlock } from '../resolved.ts';

export type Edges = ReadonlyMap<BlockId, readonly BlockId[]>;

/** Where execution can go from a block. A resumed halt counts only where `halts` says so. */
export function successors(block: ResolvedBlock, { halts }: { halts: boolean }): BlockId[] {
  return [...block.transitions, ...(block.returns ?? [])].flatMap(({ action }) => {
    if (action.verb === 'JUMP') return [action.to];
    if (action.verb === 'CALL') return isEnd(action.returnTo) ? [action.to] : [action.to, action.returnTo];
    return action.verb === 'HALT_AND_FLAG' && halts && !isEnd(block.next) ? [block.next] : [];
  });
}

/** Everything that can be reached from the given blocks, themselves included, without going through `except`. */
export function reach(
  from: Iterable<BlockId>,
  edges: Edges,
  except: ReadonlySet<BlockId> = new Set(),
): Set<BlockId> {
  const seen = new Set<BlockId>();
  const open = [...from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id) || except.has(id)) continue;
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

/**
 * The groups of blocks that lead back to themselves, each in the order of declaration. Kosaraju's way: against
 * the arrows, and from the block that was left last, a walk cannot leave its group.
 */
export function cycles(edges: Edges): BlockId[][] {
  const position = new Map([...edges.keys()].map((id, index) => [id, index]));
  const back = reversed(edges);
  const grouped = new Set<BlockId>();
  const found: BlockId[][] = [];
  for (const id of leavingOrder(edges).toReversed()) {
    if (grouped.has(id)) continue;
    const group = reach([id], back, grouped);
    for (const member of group) grouped.add(member);
    if (group.size === 1 && !edges.get(id)?.includes(id)) continue;
    found.push([...group].sort((a, b) => (position.get(a) ?? 0) - (position.get(b) ?? 0)));
  }
  return found;
}

/** The blocks in the order in which a depth-first walk is done with them. */
function leavingOrder(edges: Edges): BlockId[] {
  const left: BlockId[] = [];
  walk(edges, { leave: (id) => left.push(id) });
  return left;
}

interface Visitor {
  leave?(id: BlockId): void;
  /** An arrow to a block that the walk has entered and not left. */
  back?(from: BlockId, to: BlockId): void;
}

/** Walks depth first through every block, with a stack of its own: a chain may be longer than the call stack. */
export function walk(edges: Edges, visitor: Visitor, starts: Iterable<BlockId> = edges.keys()): void {
  const state = new Map<BlockId, 'entered' | 'left'>();
  for (const start of starts) {
    if (state.has(start)) continue;
    const way = [{ id: start, targets: (edges.get(start) ?? []).values() }];
    state.set(start, 'entered');
    for (let here = way.at(-1); here; here = way.at(-1)) {
      const { value: to } = here.targets.next();
      if (to === undefined) {
        state.set(here.id, 'left');
        visitor.leave?.(here.id);
        way.pop();
      } else if (state.get(to) === 'entered') visitor.back?.(here.id, to);
      else if (!state.has(to)) {
        state.set(to, 'entered');
        way.push({ id: to, targets: (edges.get(to) ?? []).values() });
      }
    }
  }
}
