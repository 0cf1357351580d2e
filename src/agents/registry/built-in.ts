import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILT_IN_AGENTS } from '../adapters/table.ts';
import { definedAdapter, metadataOf } from '../definition/defined-adapter.ts';
import { definitionShape } from '../definition/shape.ts';
import type { AdapterClass, AdapterMetadata } from './adapter-class.ts';

export interface AdapterType {
  readonly type: string;
  readonly adapter: AdapterClass;
  readonly metadata: Partial<AdapterMetadata>;
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

/** Programs that come along and are run as they are; the same from the sources, the compiled files and the bundle. */
function programsFolder(): string {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; ; folder = dirname(folder)) {
    const programs = join(folder, 'programs');
    if (existsSync(join(programs, 'scripted-agent', 'player.mjs'))) return programs;
    if (dirname(folder) === folder) return join(start, 'programs');
  }
}
