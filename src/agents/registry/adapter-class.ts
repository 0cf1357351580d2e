import type { AdapterOptions, AgentSettings, ExecutionMode, IAgentAdapter } from '../adapter.ts';
import type { AdapterDefinition } from '../definition/shape.ts';

/** A type of adapter. Only the constructor is required: each run gets an instance of its own. */
export interface AdapterClass {
  new (options: AdapterOptions): IAgentAdapter;
  /**
   * What this CLI lacks of what a run wants, each as a sentence that says what to do. `others` names the agents
   * that can do it in this mode.
   */
  problems?(
    mode: ExecutionMode,
    settings: AgentSettings,
    others?: (settings: AgentSettings) => readonly string[],
  ): readonly string[];
  /** Where the type was read from data: what is known about its CLI. */
  readonly definition?: AdapterDefinition;
}

export interface AdapterMetadata {
  readonly displayName: string;
  readonly icon?: string;
  readonly modes: readonly ExecutionMode[];
}
