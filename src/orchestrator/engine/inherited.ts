import type { JsonObject } from '../../kernel/json.ts';
import { nodeOf, type ResolvedManifest } from '../../manifest/resolved.ts';
import type { SessionState } from '../state/session-state.ts';

/**
 * Static memory of the current node and of its callers. Walking outward, a node whose `context_inheritance`
 * is off ends the walk; on equal keys the nearest node wins. A JUMP makes no parent.
 */
export function inheritedMemory(manifest: ResolvedManifest, nodeId: string, state: SessionState): JsonObject {
  const own = manifest.nodes[nodeId];
  if (!own) return {};
  if (state.stack.length === 0 || !own.inherits) return own.memory;
  const layers: JsonObject[] = [own.memory];
  for (const address of state.stack.toReversed()) {
    const caller = manifest.nodes[nodeOf(manifest, address)];
    if (!caller) break;
    layers.unshift(caller.memory);
    if (!caller.inherits) break;
  }
  return Object.freeze(Object.assign({}, ...layers) as JsonObject);
}
