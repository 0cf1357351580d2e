import { parseAction } from '../../manifest/action.ts';
import {
  type Address,
  type BlockId,
  isEnd,
  partsOfReturn,
  type ResolvedAction,
  returnAddress,
} from '../../manifest/resolved.ts';

export interface ActionParams {
  readonly action: string | ResolvedAction;
  readonly returnStack: readonly Address[];
  /** Where a CALL comes back to. */
  readonly returnAddress?: Address;
  /** The signal that led to the action: what a plain RETURN tells the caller. */
  readonly signal?: string;
  /** What a calling block does with a returned signal; undefined: it goes on where its CALL says. */
  readonly onReturn?: (from: BlockId, signal: string) => ResolvedAction | undefined;
  /** Finds the entry block when a target is a node. */
  readonly resolveEntryBlock?: (target: string) => string | undefined;
}

export interface ActionResult {
  readonly nextBlockId: string | null;
  readonly returnStack: readonly Address[];
  readonly halted?: true;
  /** The block that decided by the returned signal, what that was, and the action it chose. */
  readonly returned?: Returned;
}

export interface Returned {
  readonly to: BlockId;
  readonly signal: string;
  readonly action: string;
}

/** Performs one action: pure, and blind to everything but what it is given. */
export function executeAction(params: ActionParams): ActionResult {
  const action = typeof params.action === 'string' ? fromText(params.action, params) : params.action;
  const { returnStack } = params;
  switch (action.verb) {
    case 'JUMP':
      return { nextBlockId: action.to, returnStack };
    case 'CALL':
      return {
        nextBlockId: action.to,
        returnStack: [...returnStack, returnAddress(action.returnTo, action.from)],
      };
    case 'RETURN':
      return returnFrom(params, action.signal ?? params.signal);
    case 'HALT_AND_FLAG':
      return { nextBlockId: null, returnStack, halted: true };
  }
}

/** Goes to an address; the end of a node is an implicit RETURN, however many of them follow each other. */
export function goTo(address: Address, returnStack: readonly Address[]): ActionResult {
  let target = address;
  let depth = returnStack.length;
  while (isEnd(target)) {
    const caller = returnStack[--depth];
    if (caller === undefined) return { nextBlockId: null, returnStack: [] };
    target = partsOfReturn(caller).to;
  }
  return {
    nextBlockId: target,
    returnStack: depth === returnStack.length ? returnStack : returnStack.slice(0, depth),
  };
}

/** Pops addresses until one leads somewhere; a caller that knows the returned signal decides by it. */
function returnFrom(params: ActionParams, signal: string | undefined): ActionResult {
  const { returnStack, onReturn } = params;
  for (let depth = returnStack.length - 1; depth >= 0; depth--) {
    const { to, from } = partsOfReturn(returnStack[depth] ?? '');
    const action = from === undefined || signal === undefined ? undefined : onReturn?.(from, signal);
    if (from !== undefined && signal !== undefined && action) {
      const result = executeAction({ ...params, action, signal, returnStack: returnStack.slice(0, depth) });
      return { ...result, returned: result.returned ?? { to: from, signal, action: action.text } };
    }
    if (!isEnd(to)) return { nextBlockId: to, returnStack: returnStack.slice(0, depth) };
  }
  return { nextBlockId: null, returnStack: returnStack.length === 0 ? returnStack : [] };
}

function fromText(text: string, params: ActionParams): ResolvedAction {
  const parsed = parseAction(text);
  if (parsed.verb === 'RETURN' || parsed.verb === 'HALT_AND_FLAG') return { ...parsed, text };
  const to = params.resolveEntryBlock?.(parsed.target) ?? parsed.target;
  if (parsed.verb === 'JUMP') return { verb: 'JUMP', to, text };
  const returnTo = parsed.returnTo ?? params.returnAddress;
  // A call that nobody comes back from is a jump.
  if (returnTo === undefined) return { verb: 'JUMP', to, text };
  return { verb: 'CALL', to, returnTo, text };
}
