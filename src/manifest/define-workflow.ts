import type { ManifestBody } from './definition.ts';

type Nodes<M extends ManifestBody> = M['nodes'];
type Blocks<M extends ManifestBody, N extends NodeOf<M>> = keyof Nodes<M>[N]['blocks'] & string;

/** The names of a workflow's nodes. */
export type NodeOf<M extends ManifestBody> = keyof Nodes<M> & string;

/** The full ids of its blocks, `Node__Block`. */
export type BlockOf<M extends ManifestBody> = { [N in NodeOf<M>]: `${N}__${Blocks<M, N>}` }[NodeOf<M>];

/** The signals that its blocks react to. */
export type SignalOf<M extends ManifestBody> = {
  [N in NodeOf<M>]: {
    [B in Blocks<M, N>]: Nodes<M>[N]['blocks'][B]['transitions'][number]['on_signal'];
  }[Blocks<M, N>];
}[NodeOf<M>];

type ActionIn<M extends ManifestBody, N extends NodeOf<M>> =
  | 'RETURN'
  | `RETURN:SIGNAL:${string}`
  | 'HALT_AND_FLAG'
  | `JUMP:${Blocks<M, N> | NodeOf<M> | BlockOf<M>}`
  | `CALL:${NodeOf<M>}`
  | `CALL:${NodeOf<M>}:${Blocks<M, N> | BlockOf<M>}`;

/** The same workflow with every name in it replaced by what it may be. */
type Checked<M extends ManifestBody> = {
  readonly nodes: {
    readonly [N in NodeOf<M>]: {
      readonly entry_block: Blocks<M, N>;
      readonly blocks: {
        readonly [B in Blocks<M, N>]: {
          readonly transitions: readonly {
            readonly on_signal: `SIGNAL:${string}`;
            readonly action: ActionIn<M, N>;
          }[];
          readonly returns?: readonly {
            readonly on_signal: `SIGNAL:${string}`;
            readonly action: ActionIn<M, N>;
          }[];
        };
      };
    };
  };
  readonly gates?: readonly (BlockOf<M> | Blocks<M, NodeOf<M>>)[];
};

/** Carries the names of the nodes as a type; no workflow has such a property. */
declare const startNodes: unique symbol;

/** A workflow that says where it can be started; one that is plain data says nothing. */
export interface StartsIn<Node extends string> {
  readonly [startNodes]?: Node;
}

/** A workflow whose names the compiler knows: a jump to a block that is not there is a type error. */
export function defineWorkflow<const M extends ManifestBody>(
  workflow: M & Checked<M>,
): M & StartsIn<NodeOf<M>> {
  return workflow;
}
