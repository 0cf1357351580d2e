import { UsageError } from '../../kernel/errors.ts';
import { parseAction } from '../../manifest/action.ts';
import { type Address, isEnd, type ResolvedAction } from '../../manifest/resolved.ts';

export interface ActionParams {
  readonly action: string | ResolvedAction;
  readonly returnStack: readonly Address[];
  /** Where a CALL comes back to. */
  readonly returnAddress?: Address;
  /** Finds the entry block when a target is a node. */
  readonly resolveEntryBlock?: (target: string) => string | undefined;
}

export interface ActionResult {
  readonly nextBlockId: string | null;
  readonly returnStack: readonly Address[];
  readonly halted?: true;
}

/** Performs one action: pure, and blind to everything but what it is given. */
export function executeAction(params: ActionParams): ActionResult {
  const action = typeof params.action === 'string' ? fromText(params.action, params) : params.action;
  const { returnStack } = params;
  switch (action.verb) {
    case 'JUMP':
      return { nextBlockId: action.to, returnStack };
    case 'CALL':
      return { nextBlockId: action.to, returnStack: [...returnStack, action.returnTo] };
    case 'RETURN':
      return returnFrom(returnStack);
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
    target = caller;
  }
  return {
    nextBlockId: target,
    returnStack: depth === returnStack.length ? returnStack : returnStack.slice(0, depth),
  };
}

function returnFrom(stack: readonly Address[]): ActionResult {
  const address = stack.at(-1);
  if (address === undefined) return { nextBlockId: null, returnStack: stack };
  return goTo(address, stack.slice(0, -1));
}

function fromText(text: string, params: ActionParams): ResolvedAction {
  const parsed = parseAction(text);
  if (parsed.verb === 'RETURN' || parsed.verb === 'HALT_AND_FLAG') return { ...parsed, text };
  const to = params.resolveEntryBlock?.(parsed.target) ?? parsed.target;
  if (parsed.verb === 'JUMP') return { verb: 'JUMP', to, text };
  const returnTo = parsed.returnTo ?? params.returnAddress;
  if (returnTo === undefined) {
    throw new UsageError(`"${text}" has no address to return to.`, {
      next: 'Pass returnAddress, or write CALL:<Node>:<ReturnBlock>.',
    });
  }
  return { verb: 'CALL', to, returnTo, text };
}
