import { type BlockId, isEnd, type ResolvedAction, type ResolvedBlock } from '../resolved.ts';
import { FAIL_DEFAULT } from '../worker.ts';

type Call = Extract<ResolvedAction, { verb: 'CALL' }>;
type Warn = (block: BlockId, message: string) => void;

/** What a called node can come back with. */
interface Returned {
  /** Chosen by a `RETURN:SIGNAL:X`. */
  readonly named: Set<string>;
  /** Those and the signals that lead to a plain RETURN. */
  readonly all: Set<string>;
  /** A fallback returns too: then it can be any signal. */
  any: boolean;
}

/** Signals that a node returns and its caller does not know, and the other way round. */
export function warnAboutReturns(blocks: readonly ResolvedBlock[], warn: Warn): void {
  const byId = new Map(blocks.map((block) => [block.id, block]));
  for (const block of blocks) {
    const calls = tableOf(block).flatMap((action) => (action.verb === 'CALL' ? [action] : []));
    if (calls.length === 0 && block.returns) {
      warn(block.id, 'It lists "returns", but calls no node; remove them, or CALL one.');
      continue;
    }
    if (calls.length > 0) warnAboutCalls(block, calls, byId, warn);
    for (const call of calls) warnAboutWayBack(block, call, warn);
  }
}

/** What follows a call is the next block of the node; behind the last one there is none. */
function warnAboutWayBack({ id, returns }: ResolvedBlock, { text, returnTo }: Call, warn: Warn): void {
  if (!isEnd(returnTo) || returns !== undefined) return;
  warn(
    id,
    `${text} has no place to return to, since no block follows in this node: what it returns leaves the node. Add a block behind this one or "returns", or JUMP there if it is not to come back.`,
  );
}

function warnAboutCalls(
  block: ResolvedBlock,
  calls: readonly Call[],
  byId: ReadonlyMap<BlockId, ResolvedBlock>,
  warn: Warn,
): void {
  const returned: Returned = { named: new Set(), all: new Set(), any: false };
  const seen = new Set<BlockId>();
  for (const { to } of calls) gather(to, byId, returned, seen);
  const listed = new Set((block.returns ?? []).map(({ on_signal }) => on_signal));
  if (!listed.has(FAIL_DEFAULT)) {
    for (const signal of returned.named) {
      if (listed.has(signal)) continue;
      warn(block.id, `It is returned ${signal}, which its "returns" do not list; add it or ${FAIL_DEFAULT}.`);
    }
  }
  for (const signal of listed) {
    if (signal === FAIL_DEFAULT || returned.any || returned.all.has(signal)) continue;
    warn(
      block.id,
      `Its "returns" list ${signal}, which no RETURN of what it calls gives; correct or remove it.`,
    );
  }
}

/** Walks a called node; what it calls in its turn comes back to it, unless nothing follows there. */
function gather(
  at: BlockId,
  byId: ReadonlyMap<BlockId, ResolvedBlock>,
  returned: Returned,
  seen: Set<BlockId>,
): void {
  const open = [at];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const block = byId.get(id);
    if (!block || seen.has(id)) continue;
    seen.add(id);
    for (const { on_signal, action } of [...block.transitions, ...(block.returns ?? [])]) {
      if (action.verb === 'JUMP') open.push(action.to);
      else if (action.verb === 'CALL') open.push(isEnd(action.returnTo) ? action.to : action.returnTo);
      else if (action.verb === 'RETURN') note(returned, action.signal, on_signal);
    }
  }
}

function note(returned: Returned, named: string | undefined, signal: string): void {
  if (named !== undefined) returned.named.add(named);
  else if (signal === FAIL_DEFAULT) returned.any = true;
  returned.all.add(named ?? signal);
}

function tableOf({ transitions, returns = [] }: ResolvedBlock): ResolvedAction[] {
  return [...transitions, ...returns].map(({ action }) => action);
}
