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
  /** One that it is told to use, and the name by which the server is asked for it. */
  readonly model: { readonly name: string; readonly called: string };
  readonly cost: (tokens: TokenCount) => Cost;
  /** The tool whose denial it tells when it may not write outside its folder. */
  readonly deniedTool: string;
  /** `told`: it says that it tries again. */
  readonly recovery: { readonly scenario: string; readonly told: boolean };
  readonly quota: Refused;
  readonly quotaWithReset: Refused;
  /** Long enough for it to start and ask the model. */
  readonly silenceMs: number;
  readonly terminal: TerminalTask;
  readonly continuesOnItsTerminal: boolean;
  /** A headless run that asks can continue in a conversation. */
  readonly continuesInADialogue: boolean;
  /** It prints plain words: no conversation, no tools, no tokens. */
  readonly onlyWords?: true;
  /** It tells what it used only at its end, so of a run that is killed nothing is known. */
  readonly countsAtItsEnd?: true;
  /** What becomes of it when its provider tells it to come back in an hour. Absent: `quota`. */
  readonly toldToWait?: 'overloaded';
  /** In letters, where it cannot be trusted with longer ones. Absent: 200,000. */
  readonly longestPrompt?: number;
  /** It passes on when to come back. */
  readonly tellsTheWait?: true;
  /** Scenarios that this CLI has no way to play, each with the reason. */
  readonly lacks?: { readonly [scenario: string]: string };
}

export type Cost =
  /** The CLI says it. */
  | { readonly by: 'cli'; readonly usd?: number }
  /** We work it out from our table. */
  | { readonly by: 'table'; readonly usd: number | undefined }
  /** Nobody knows what this model costs. */
  | { readonly by: 'none'; readonly usd?: never };

export interface Refused {
  readonly scenario: string;
  readonly account?: Account;
  readonly reset: Reset;
}

/** What it lets us know of the time when a spent quota is there again. */
export type Reset = 'unknown' | 'midnight in California' | { readonly withinMs: number };

export interface TerminalTask {
  readonly prompt: string;
  readonly settings: AgentSettings;
  readonly question: RegExp;
  /** What a person answers. */
  readonly yes: string;
  readonly no: string;
}

/** Each fact as a sentence that is true of the pinned version. */
export type FactSheet = { readonly [fact in FactId]: string };

export type FactId =
  | 'session'
  | 'write'
  | 'result'
  | 'model'
  | 'usage'
  | 'cost'
  | 'resume'
  | 'resume-usage'
  | 'denied'
  | 'read'
  | 'recovery'
  | 'quota'
  | 'quota-reset'
  | 'auth'
  | 'silence'
  | 'cancel'
  | 'question'
  | 'yes'
  | 'no'
  | 'stream-question'
  | 'resume-across'
  | 'resume-terminal';
