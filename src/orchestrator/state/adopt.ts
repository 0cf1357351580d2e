import { action } from '../../kernel/action.ts';
import { ConflictError } from '../../kernel/errors.ts';
import type { Budget } from '../../manifest/definition.ts';
import {
  type Address,
  isEnd,
  nodeOf,
  partsOfReturn,
  type ResolvedManifest,
} from '../../manifest/resolved.ts';
import type { SessionState } from './session-state.ts';

/** Refuses a manifest that does not have the blocks a session stands at or returns to. */
export function refuseLostPlace(state: SessionState, manifest: ResolvedManifest): void {
  const { at, halt, error, stack, id } = state;
  const returns = stack.flatMap((address) => Object.values(partsOfReturn(address)));
  const needed = [at, halt?.block, halt?.resumeAt, halt?.retry?.at, error?.block, ...returns];
  const lost = needed.find((address) => typeof address === 'string' && !isIn(manifest, address));
  if (typeof lost !== 'string') return;
  throw new ConflictError(
    `The corrected workflow has no ${isEnd(lost) ? `node ${nodeOf(manifest, lost)}` : `block ${lost}`}, and session ${id} stands there.`,
    {
      next: action('session.rewind', 'Put the block back, or take the session to a step before it', {
        session: id,
      }),
    },
  );
}

function isIn(manifest: ResolvedManifest, address: Address): boolean {
  return isEnd(address)
    ? Object.hasOwn(manifest.nodes, nodeOf(manifest, address))
    : Object.hasOwn(manifest.blocks, address);
}

/** What a person set for the session stays; what came from the old manifest follows the new one. */
export function adoptedBudget(current: Budget, old: Budget, now: Budget): Budget {
  const kept = Object.entries(current).filter(([unit, most]) => old[unit as keyof Budget] !== most);
  return { ...now, ...Object.fromEntries(kept) };
}
