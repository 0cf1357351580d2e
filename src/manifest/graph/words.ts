import type { Limits } from '../definition.ts';
import {
  type Address,
  isEnd,
  type ResolvedAction,
  type ResolvedBlock,
  type ResolvedManifest,
  type ResolvedTransition,
} from '../resolved.ts';

export function shortSignal(signal: string): string {
  return signal.replace(/^SIGNAL:/, '');
}

export function limitWords(limits: Limits): string {
  return Object.entries(limits)
    .map(([name, value]) => `${name === 'visits' || name === 'minutes' ? name : 'same failure'} ${value}`)
    .join(', ');
}

/** What an action does, as seen from its block: names of the same node are short. */
export function actionWords(action: ResolvedAction, from: ResolvedBlock, manifest: ResolvedManifest): string {
  if (action.verb === 'RETURN')
    return action.signal === undefined ? 'return' : `return ${shortSignal(action.signal)}`;
  if (action.verb === 'HALT_AND_FLAG') return 'halt for a person';
  const to = nameFrom(action.to, from, manifest);
  if (action.verb === 'JUMP') return to;
  const then = isEnd(action.returnTo) ? 'return' : nameFrom(action.returnTo, from, manifest);
  return `call ${to}, then ${then}`;
}

function nameFrom(address: Address, from: ResolvedBlock, manifest: ResolvedManifest): string {
  const block = manifest.blocks[address];
  return block?.node === from.node ? block.name : address;
}

/** What comes back from a call is told from what the block emits itself. */
export function returnedTable({ returns = [] }: ResolvedBlock): ResolvedTransition[] {
  return returns.map((each) => ({ ...each, on_signal: `returned ${shortSignal(each.on_signal)}` }));
}
