import type { JsonValue } from '../kernel/json.ts';

/** What an agent reports about its own run, whatever CLI it is. Read from the CLI's structured stream. */
export type AgentEvent =
  /** The CLI's own conversation, which a later run can continue. */
  | { readonly type: 'session'; readonly id: string; readonly model?: string }
  /** A whole piece of what it says. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly id: string; readonly name: string; readonly input: JsonValue }
  | { readonly type: 'tool.ended'; readonly id: string; readonly ok: boolean; readonly output: string }
  | { readonly type: 'file'; readonly path: string; readonly change: FileChange }
  | AgentUsage
  /** A tool was blocked: it did not happen. */
  | { readonly type: 'denied'; readonly tool: string; readonly reason: string }
  | AgentQuestion
  /** A question no longer needs an answer. */
  | { readonly type: 'withdrawn'; readonly id: string }
  | {
      readonly type: 'retrying';
      readonly reason: string;
      readonly attempt?: number;
      readonly waitMs?: number;
    }
  | AgentError
  /**
   * The terminal event. A run that ends without one has crashed, whatever its exit code. `blocked`: it says that it is
   * done, but its last tool was denied.
   */
  | { readonly type: 'result'; readonly ok: boolean; readonly text: string; readonly blocked?: true };

export type FileChange = 'added' | 'changed' | 'removed';

/** What came on top since the last one; their sum is what this run used, however the CLI itself counts. */
export interface AgentUsage {
  readonly type: 'usage';
  readonly tokens: TokenCount;
  /** Absent where nothing is known about the price. */
  readonly usd?: number;
  /** The price is from our table, not from the CLI. */
  readonly estimated: boolean;
  /** With this the sum is what the CLI says, whatever was estimated before. */
  readonly settles?: true;
}

export interface TokenCount {
  /** Including the cached ones. */
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/** The agent waits for a person. */
export interface AgentQuestion {
  readonly type: 'asked';
  /** Tells the questions of one run apart. */
  readonly id: string;
  readonly question: string;
  readonly choices: readonly string[];
  /** What is taken for an answer besides the choices and their numbers. */
  readonly words?: readonly string[];
}

export interface AgentError {
  readonly type: 'error';
  readonly kind: AgentErrorKind;
  readonly message: string;
  /** Of one that was refused, where it is known: the name of the model, or that it was given too much to read. */
  readonly about?: 'model' | 'context';
  /** Milliseconds since 1970: when a spent quota is there again. */
  readonly resetAt?: number;
}

/**
 * By consequence: wait, log in, try later, try later, change the request, tell it otherwise (it went round in circles),
 * look at the log.
 */
export type AgentErrorKind = 'quota' | 'auth' | 'overloaded' | 'network' | 'refused' | 'loop' | 'crash';
