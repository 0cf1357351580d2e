import { BUILT_IN_AGENTS } from '../adapters/table.ts';
import { definedAdapter, metadataOf } from '../definition/defined-adapter.ts';
import { definitionShape } from '../definition/shape.ts';
import type { AdapterClass, AdapterMetadata } from './adapter-class.ts';
import { programsFolder } from './programs.ts';

export interface AdapterType {
  readonly type: string;
  readonly adapter: AdapterClass;
  readonly metadata: AdapterMetadata;
}

let types: readonly AdapterType[] | undefined;

/** The types that loopwright brings along. */
export function builtInAdapters(): readonly AdapterType[] {
  types ??= Object.entries(BUILT_IN_AGENTS).map(([type, agent]) => {
    const definition = definitionShape.parse(agent.definition);
    const adapter = definedAdapter(type, definition, programsFolder());
    return { type, adapter, metadata: metadataOf(definition) };
  });
  return types;
}
