import type { AgentSettings } from '../../../src/agents/adapter.ts';
import type { TokenCount } from '../../../src/agents/event.ts';
import type { Account } from '../homes/home.ts';
import type { Cli } from '../installed.ts';
import type { ModelCall } from '../model-server/request-log.ts';

/** What we know about one CLI and every newer version of it must still do. */
export interface Profile {
  readonly cli: Cli;
  readonly facts: FactSheet;
  /** The tool it writes files with. */
  readonly tool: string;
  /** The calls that it counts as its own use. Absent: all. */
  readonly counts?: (call: ModelCall) => boolean;
  readonly cost: (tokens: TokenCount) => Cost;
  /** The tool whose denial it tells when it may not write outside its folder; undefined where it tells nothing. */
  readonly deniedTool: string | undefined;
  /** `told`: it says that it tries again. */
  readonly recovery: { readonly scenario: string; readonly told: boolean };
  readonly quota: Refused;
  /** `toleranceMs`: how exactly it tells the time; undefined where it keeps the time to itself. */
  readonly quotaWithReset: Refused & { readonly toleranceMs: number | undefined };
  /** Long enough for it to start and ask the model. */
  readonly silenceMs: number;
  readonly terminal: TerminalTask;
}

export type Cost =
  /** The CLI says it. */
  | { readonly by: 'cli'; readonly usd?: number }
  /** We work it out from a table, if the model is in it. */
  | { readonly by: 'table' };

export interface Refused {
  readonly scenario: string;
  readonly account?: Account;
}

export interface TerminalTask {
  readonly prompt: string;
  readonly settings: AgentSettings;
  /** What it asks, and the keys that say yes to it. */
  readonly question: RegExp;
  readonly yes: string;
}

/** Each fact as a sentence that is true of the pinned version. */
export type FactSheet = { readonly [fact in FactId]: string };

export type FactId =
  | 'session'
  | 'write'
  | 'result'
  | 'usage'
  | 'cost'
  | 'resume'
  | 'resume-usage'
  | 'denied'
  | 'recovery'
  | 'quota'
  | 'quota-reset'
  | 'auth'
  | 'silence'
  | 'cancel'
  | 'question'
  | 'answer';
