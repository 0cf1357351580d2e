import type { EventStream } from '../kernel/events.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { AgentError, AgentEvent, TokenCount } from './event.ts';
import type { OwnPrices } from './pricing/price.ts';
import type { RunnerEnd } from './runner/runner.ts';

export type ExecutionMode = 'interactive' | 'headless';

/** What the agent may do without asking. */
export type Permissions = 'read' | 'ask' | 'edits' | 'all';

/** What one run wants of its CLI. An adapter type refuses what its CLI lacks (`AdapterType.problems`). */
export interface AgentSettings {
  readonly model?: string;
  /** Absent: `edits`. */
  readonly permissions?: Permissions;
  readonly maxTurns?: number;
  readonly maxUsd?: number;
  /** Continue this conversation instead of beginning one. */
  readonly resume?: AgentConversation;
  /** Continue it under another id, so that whoever else continues it does not hear of this run. */
  readonly fork?: true;
}

/** A conversation of a CLI as a later run needs it: some CLIs count tokens or money over all of it. */
export interface AgentConversation {
  readonly id: string;
  /** What the CLI had counted for it when it was left. */
  readonly counted?: { readonly tokens: TokenCount; readonly usd: number };
}

export interface AdapterOptions extends AgentSettings {
  readonly name: string;
  readonly cwd: string;
  /** Laid over the environment of the process. */
  readonly env?: { readonly [name: string]: string };
  /** The program to start instead of the CLI's own name: a path that was found or that a person chose. */
  readonly command?: string;
  /** What the project says models cost. */
  readonly prices?: OwnPrices;
  /** Where a prompt goes that is too long for an argument; without it such a prompt is refused. */
  readonly filesDir?: string;
}

export interface LaunchConfig {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment, below what the task itself says. */
  readonly env?: { readonly [name: string]: string };
  /** Headless only: the CLI waits for the end of its input before it begins. */
  readonly closeStdin?: boolean;
  /** Headless only: all that it reads from its input. */
  readonly input?: string;
  /** Written before the start, mode 0600, their folders made. */
  readonly files?: readonly LaunchFile[];
}

export interface LaunchFile {
  readonly path: string;
  readonly content: string;
}

/** One CLI for one run. Only `name` and `getLaunchConfig` are required. */
export interface IAgentAdapter {
  readonly name: string;
  getLaunchConfig(mode: ExecutionMode, prompt?: string, extraArgs?: readonly string[]): LaunchConfig;
  /** Reads the structured stream of this mode; undefined where the CLI has none. Called after the launch config. */
  openStream?(mode: ExecutionMode): AgentStream | undefined;
  /** How the CLI's painted screen looks in its states; for modes without a stream. */
  readonly screen?: ScreenPatterns;
  /** Whatever the adapter notices by itself, such as that a person is needed. */
  readonly signals?: EventStream<AdapterSignal>;
  /** The same strings as the runner's `data` events. */
  onOutput?(raw: string, clean: string): void;
  onError?(error: Error): void;
  onExit?(end: RunnerEnd): void;
}

/** Reads what one process prints, line by line, and keeps what it must remember between lines. */
export interface AgentStream {
  push(line: string, from: 'stdout' | 'stderr'): readonly AgentEvent[];
  /** After the last line: a missing result, an exit code that says more than the stream did. */
  end(end: RunnerEnd): readonly AgentEvent[];
  /** What is written to standard input to answer a question of the stream; absent where it cannot ask. */
  answer?(questionId: string, text: string): string;
  /**
   * What is written to standard input right after the start, where the CLI wants its channel opened. Such a CLI
   * waits for more after its result: standard input is closed then.
   */
  readonly opening?: string;
  /** What is to be written to standard input because of what was pushed; each piece is given out once. */
  outgoing?(): string;
  /** The conversation as it stands, for a later run. */
  readonly conversation: AgentConversation | undefined;
  /** Set while the CLI waits by itself before it asks its provider again. */
  readonly waits?: OwnWait | undefined;
  /** A tool runs that the CLI has not told of yet. */
  readonly busy?: boolean;
}

/** A CLI that waits for its provider by itself, and what for. */
export interface OwnWait {
  readonly error: AgentError;
  /** How long it means to wait; absent where it does not say. */
  readonly ms?: number;
}

/** Patterns over the text of the rendered screen, its lines joined by line feeds, trailing blanks removed. */
export interface ScreenPatterns {
  /** A person is asked; the first that matches wins. */
  readonly interactions: readonly ScreenPattern[];
  /** The agent works. While one matches nothing is a question. */
  readonly working: readonly RegExp[];
  /** The agent waits for its next task. */
  readonly idle: readonly RegExp[];
}

export interface ScreenPattern {
  readonly name: string;
  readonly pattern: RegExp;
  /** How a choice of its numbered list is made. Absent: by its number. */
  readonly pick?: 'number' | 'arrows';
}

export type AdapterSignal =
  | { readonly type: 'interaction_needed' | 'interactionNeeded'; readonly payload: JsonObject }
  | { readonly type: 'state_changed'; readonly state: string; readonly payload?: JsonObject };
