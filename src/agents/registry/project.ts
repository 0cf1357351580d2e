import { definedAdapter, metadataOf } from '../definition/defined-adapter.ts';
import { loadAdapters } from '../definition/load.ts';
import type { AdapterProblem } from '../definition/parse.ts';
import { AdapterRegistry } from './registry.ts';

/** The built-in agents and those that a project defines for itself, which win. */
export function projectRegistry(
  projectDir: string,
  explicit: { readonly [type: string]: string } = {},
): { readonly registry: AdapterRegistry; readonly problems: readonly AdapterProblem[] } {
  const { types, problems } = loadAdapters(projectDir, explicit);
  const registry = new AdapterRegistry();
  for (const { type, definition, here } of types) {
    registry.register(type, definedAdapter(type, definition, here), metadataOf(definition));
  }
  return { registry, problems };
}
