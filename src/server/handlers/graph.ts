import type { ResolvedManifest, ResolvedTransition } from '../../manifest/resolved.ts';

/** The blocks of a manifest and the ways between them, for drawing. */
export function graphOf(manifest: ResolvedManifest) {
  const blocks = Object.values(manifest.blocks);
  return {
    nodes: Object.values(manifest.nodes).map(({ id, entry, order }) => ({ id, entry, blocks: [...order] })),
    blocks: blocks.map(({ id, node, worker, limits }) => ({
      id,
      node,
      worker,
      gate: manifest.gates.includes(id),
      ...(limits ? { limits } : {}),
    })),
    edges: blocks.flatMap((block) =>
      [...block.transitions, ...(block.returns ?? [])].map((transition) => ({
        from: block.id,
        signal: transition.on_signal,
        ...target(transition),
      })),
    ),
  };
}

function target({ action }: ResolvedTransition) {
  return {
    action: action.text,
    to: 'to' in action ? action.to : null,
    call: action.verb === 'CALL',
  };
}
