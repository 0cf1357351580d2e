import type { JsonObject } from '../../kernel/json.ts';
import { type Address, nodeOf, type ResolvedManifest } from '../../manifest/resolved.ts';

/**
 * Static memory of a node and of its callers. Walking outward, a node whose `context_inheritance` is off ends
 * the walk; on equal keys the nearest node wins. A JUMP makes no parent. What the callers give is kept per
 * depth, so that a call costs the same however deep it is.
 */
export class InheritedMemory {
  readonly #manifest: ResolvedManifest;
  /** What each return address hands down to the node that was called from it. */
  readonly #levels: { address: Address; memory: JsonObject }[] = [];

  constructor(manifest: ResolvedManifest) {
    this.#manifest = manifest;
  }

  of(nodeId: string, stack: readonly Address[]): JsonObject {
    const own = this.#manifest.nodes[nodeId];
    if (!own) return {};
    if (stack.length === 0 || !own.inherits) return own.memory;
    return merged(this.#handedDown(stack), own.memory);
  }

  #handedDown(stack: readonly Address[]): JsonObject {
    const levels = this.#levels;
    let known = 0;
    while (known < stack.length && levels[known]?.address === stack[known]) known++;
    levels.length = known;
    for (const address of stack.slice(known)) {
      const caller = this.#manifest.nodes[nodeOf(this.#manifest, address)];
      const above = caller?.inherits ? (levels.at(-1)?.memory ?? {}) : {};
      levels.push({ address, memory: caller ? merged(above, caller.memory) : above });
    }
    return levels.at(-1)?.memory ?? {};
  }
}

function merged(above: JsonObject, own: JsonObject): JsonObject {
  return Object.keys(own).length === 0 ? above : Object.freeze({ ...above, ...own });
}
