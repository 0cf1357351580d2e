import { NotFoundError } from '../../kernel/errors.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import type { AdapterOptions, AgentSettings, ExecutionMode, IAgentAdapter } from '../adapter.ts';
import type { AdapterDefinition } from '../definition/shape.ts';
import type { AdapterClass, AdapterMetadata } from './adapter-class.ts';
import { builtInAdapters } from './built-in.ts';

interface Registered {
  readonly adapter: AdapterClass;
  readonly metadata: AdapterMetadata;
}

/** The agent CLIs that can be run, by type. */
export class AdapterRegistry {
  readonly #types = new Map<string, Registered>();

  constructor() {
    for (const { type, adapter, metadata } of builtInAdapters()) this.register(type, adapter, metadata);
  }

  /** A type that is registered again is replaced: a project's own definition wins over ours. */
  register(type: string, adapter: AdapterClass, metadata: Partial<AdapterMetadata> = {}): void {
    const known = { displayName: type, modes: ['headless', 'interactive'] as const, ...metadata };
    this.#types.set(type, { adapter, metadata: known });
  }

  /** A new instance every time: one adapter is one run. */
  create(type: string, options: AdapterOptions): IAgentAdapter {
    return new (this.#find(type).adapter)(options);
  }

  has(type: string): boolean {
    return this.#types.has(type);
  }

  types(): readonly string[] {
    return [...this.#types.keys()].sort();
  }

  metadata(type: string): AdapterMetadata {
    return this.#find(type).metadata;
  }

  /** What is known about the CLI; undefined for a class that was registered by code. */
  definition(type: string): AdapterDefinition | undefined {
    return this.#find(type).adapter.definition;
  }

  /** What this CLI lacks of what a run wants; each a sentence that says what to do. */
  problems(type: string, mode: ExecutionMode, settings: AgentSettings = {}): readonly string[] {
    const { adapter, metadata } = this.#find(type);
    const others = (wanted: AgentSettings) =>
      [...this.#types]
        .filter(([name, other]) => name !== type && other.adapter.problems?.(mode, wanted).length === 0)
        .map(([name]) => name)
        .filter((name) => name !== 'scripted');
    if (adapter.problems) return adapter.problems(mode, settings, others);
    if (metadata.modes.includes(mode)) return [];
    return [`${type} has no ${mode} mode; use ${metadata.modes.join(' or ')}.`];
  }

  #find(type: string): Registered {
    const found = this.#types.get(type);
    if (found) return found;
    const meant = didYouMean(type, this.#types.keys());
    throw new NotFoundError(`There is no agent "${type}".${meant} Known are ${this.types().join(', ')}.`, {
      next: `Use one of them, or describe it in .loopwright/adapters/${type}.json.`,
    });
  }
}
