import type { JsonObject } from '../kernel/json.ts';

/** The manifest as a person writes it, before names are resolved. */
export type WorkflowManifest = ManifestBody | NodeDictionary;

export type NodeDictionary = { readonly [nodeId: string]: NodeDefinition };

export interface ManifestBody {
  /** For editors. */
  readonly $schema?: string;
  readonly description?: string;
  readonly nodes: NodeDictionary;
  /** The roster: what a worker name means, unless the program registers a worker of that name. */
  readonly workers?: { readonly [name: string]: RosterDefinition };
  readonly budget?: Budget;
  /** Blocks whose last signal must be SUCCESS on the delivered tree before a session may complete. */
  readonly gates?: readonly string[];
  /** JSON Schemas that `validationSchema` can name. `type: "string"` means plain text. */
  readonly schemas?: { readonly [name: string]: JsonObject };
}

export interface NodeDefinition {
  readonly description?: string;
  readonly entry_block: string;
  readonly context_inheritance?: boolean;
  readonly static_memory?: JsonObject;
  readonly blocks: { readonly [name: string]: BlockDefinition };
}

export interface BlockDefinition {
  readonly description?: string;
  readonly worker: string;
  readonly payload_merge_strategy?: readonly string[];
  readonly transitions: readonly Transition[];
  /** Where the signals lead that a node called from here returns; any other goes on as the CALL says. */
  readonly returns?: readonly Transition[];
  readonly instructions?: string;
  /** For workers that change no files themselves: how they say what a file is to hold. */
  readonly answerFormat?: string;
  readonly with?: JsonObject;
  readonly artifacts?: readonly string[];
  readonly validationSchema?: string;
  readonly signalFrom?: string;
  /** `structured`: the worker may answer in JSON with a signal and segments. Absent: if a transition needs it. */
  readonly reply?: 'text' | 'structured';
  readonly limits?: LimitsDefinition;
}

export interface Transition {
  readonly on_signal: string;
  readonly action: string;
}

/** A number, or the configuration key that holds it. */
export type ConfigNumber = number | `{{config.${string}}}`;

export type LimitsDefinition = { readonly [L in keyof Limits]: ConfigNumber };

export interface Limits {
  /** At most n executions in one call frame; 0 = never. */
  readonly visits?: number;
  /** Active time of the block in one call frame. */
  readonly minutes?: number;
  /** Stop after n equal failures in a row. */
  readonly sameFailure?: number;
  /** End an agent after n equal calls of a tool, or n equal failures of its tools. Absent: 12. */
  readonly sameTool?: number;
}

export interface Budget {
  readonly steps?: number;
  readonly tokens?: number;
  readonly usd?: number;
  readonly minutes?: number;
}

export type RosterDefinition = Omit<RosterEntry, 'minutes'> & { readonly minutes?: ConfigNumber };

export interface RosterEntry {
  readonly persona?: string;
  /** Any program: reads the context as JSON on standard input, answers with JSON on standard output. */
  readonly command?: readonly string[];
  readonly agent?: string;
  readonly agents?: readonly string[];
  readonly mode?: 'headless' | 'interactive';
  readonly model?: string;
  readonly models?: readonly string[];
  readonly permissions?: 'read' | 'ask' | 'edits' | 'all';
  readonly extraArgs?: readonly string[];
  /** Laid over the environment of the agent. */
  readonly env?: { readonly [name: string]: string };
  readonly maxTurns?: number;
  /** Of one answer of a model. */
  readonly maxTokens?: number;
  readonly maxUsd?: number;
  /** Active minutes of one run. */
  readonly minutes?: number;
  /** Minutes without output after which a run is ended. */
  readonly silenceMinutes?: number;
  /** `signal`: a run that is ended for its time emits SIGNAL:TIMED_OUT instead of SIGNAL:FAILURE. Absent: fail. */
  readonly onTimeLimit?: 'fail' | 'signal';
  /** `continue`: a later run of the same worker continues in the agent's own conversation. Absent: continue. */
  readonly conversation?: 'continue' | 'fresh';
}
