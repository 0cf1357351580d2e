import claude from '../adapters/claude/adapter.json' with { type: 'json' };
import codex from '../adapters/codex/adapter.json' with { type: 'json' };
import gemini from '../adapters/gemini/adapter.json' with { type: 'json' };
import opencode from '../adapters/opencode/adapter.json' with { type: 'json' };
import scripted from '../adapters/scripted/adapter.json' with { type: 'json' };
import { definedAdapter, metadataOf } from '../definition/defined-adapter.ts';
import { definitionShape } from '../definition/shape.ts';
import type { AdapterClass, AdapterMetadata } from './adapter-class.ts';
import { programsFolder } from './programs.ts';

export interface AdapterType {
  readonly type: string;
  readonly adapter: AdapterClass;
  readonly metadata: AdapterMetadata;
}

const DEFINITIONS = { claude, codex, gemini, opencode, scripted };

let types: readonly AdapterType[] | undefined;

/** The types that loopwright brings along. */
export function builtInAdapters(): readonly AdapterType[] {
  types ??= Object.entries(DEFINITIONS).map(([type, document]) => {
    const definition = definitionShape.parse(document);
    const adapter = definedAdapter(type, definition, programsFolder());
    return { type, adapter, metadata: metadataOf(definition) };
  });
  return types;
}
