import type { JsonObject } from '../kernel/json.ts';
import type { Budget, Limits, RosterEntry } from './definition.ts';

/** `Node__Block`. */
export type BlockId = string;
/** A block id, or `Node__@end` when nothing follows in that node. */
export type Address = string;

/**
 * The manifest the engine runs: every reference resolved, every action and instruction parsed. Plain data,
 * deep-frozen, so it is stored with the session as it is and a resume needs no parsing.
 */
export interface ResolvedManifest {
  readonly version: 1;
  readonly nodes: { readonly [nodeId: string]: ResolvedNode };
  readonly blocks: { readonly [blockId: BlockId]: ResolvedBlock };
  readonly workers: { readonly [name: string]: RosterEntry };
  readonly budget: Budget;
  readonly gates: readonly BlockId[];
  readonly schemas: { readonly [name: string]: JsonObject };
}

export interface ResolvedNode {
  readonly id: string;
  readonly entry: BlockId;
  readonly inherits: boolean;
  readonly memory: JsonObject;
  /** Block ids in the order of declaration. */
  readonly order: readonly BlockId[];
}

export interface ResolvedBlock {
  readonly id: BlockId;
  readonly node: string;
  readonly name: string;
  readonly worker: string;
  readonly merge: readonly MergeInstruction[];
  readonly transitions: readonly ResolvedTransition[];
  /** Where the signals lead that a node called from here returns; any other goes on as the CALL says. */
  readonly returns?: readonly ResolvedTransition[];
  /** Where execution continues after a CALL returns or a halt is resumed. */
  readonly next: Address;
  readonly with: JsonObject;
  readonly instructions?: string;
  readonly answerFormat?: string;
  readonly artifacts?: readonly string[];
  readonly validationSchema?: string;
  readonly signalFrom?: string;
  readonly reply?: 'text' | 'structured';
  /** Sessions that began before the field was renamed have `same_failure` frozen in their manifest. */
  readonly limits?: Limits & { readonly same_failure?: number };
}

export interface ResolvedTransition {
  readonly on_signal: string;
  readonly action: ResolvedAction;
}

/** `text` is the action as written, for the audit trail. */
export type ResolvedAction =
  | { readonly verb: 'JUMP'; readonly to: BlockId; readonly text: string }
  | {
      readonly verb: 'CALL';
      readonly to: BlockId;
      readonly returnTo: Address;
      /** The calling block, where it decides by the returned signal. */
      readonly from?: BlockId;
      readonly text: string;
    }
  /** `signal`: what the caller is told instead of the signal that led here. */
  | { readonly verb: 'RETURN'; readonly signal?: string; readonly text: string }
  | { readonly verb: 'HALT_AND_FLAG'; readonly text: string };

export type MergeInstruction =
  | { readonly take: 'ALL' }
  | { readonly take: 'TYPE' | 'LATEST' | 'EXCLUDE'; readonly type: string }
  | { readonly take: 'FROM'; readonly block: BlockId }
  | { readonly take: 'STATIC_MEMORY'; readonly key: string };

export const END_OF_NODE = '@end';

export function endOf(nodeId: string): Address {
  return `${nodeId}__${END_OF_NODE}`;
}

export function isEnd(address: Address): boolean {
  return address.endsWith(`__${END_OF_NODE}`);
}

/** A name has no colon, so one can part the address from the block that is asked on return. */
const ASKS = ':';

/** What a CALL leaves on the stack: where to go on, and which block decides by the returned signal. */
export function returnAddress(returnTo: Address, from: BlockId | undefined): Address {
  return from === undefined ? returnTo : `${returnTo}${ASKS}${from}`;
}

export function partsOfReturn(address: Address): { readonly to: Address; readonly from?: BlockId } {
  const [to = '', from] = address.split(ASKS);
  return from === undefined ? { to } : { to, from };
}

/** The node an address belongs to: the longest prefix that names a node, so node ids may contain `__`. */
export function nodeOf(manifest: ResolvedManifest, address: Address): string {
  const { to } = partsOfReturn(address);
  const block = manifest.blocks[to];
  if (block) return block.node;
  const cut = to.lastIndexOf('__');
  return cut < 0 ? to : to.slice(0, cut);
}
