import type { EventStream } from '../../kernel/events.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { Masker } from '../../kernel/mask.ts';
import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import type { Environment, StepMarker } from '../../process/child-env.ts';
import type { Wall } from '../../process/sandbox/walls.ts';
import type { AgentConversation, IAgentAdapter } from '../adapter.ts';
import type { AgentEvent, AgentUsage } from '../event.ts';

/** The owner of one agent process. */
export interface Runner {
  readonly kind: 'pty' | 'headless';
  readonly events: EventStream<RunnerEvent>;
  /** Resolves once the process runs; rejects with the reason when it cannot be started. A second call throws. */
  start(prompt?: string, extraArgs?: readonly string[]): Promise<ProcessIdentity>;
  /** To the process's standard input, as it is. Throws before the start and after the end. */
  send(text: string): void;
  /**
   * Answers the oldest open question on the channel it came from; time limits run on. Of a question on the screen a
   * choice is picked by its number or words with the keys of its menu, and anything else throws there; elsewhere the
   * text is typed and sent as a line. Without an open question it is `send`.
   */
  answer(text: string): void;
  /** While it runs, and where there is a terminal. */
  resize(size: TerminalSize): void;
  /** Resolves when the whole process tree is gone. Harmless when it has ended. */
  stop(): Promise<void>;
  /** How it ended, after the last event. Never settles where the start failed. */
  readonly ended: Promise<RunnerEnd>;
  /** The bounded end of the clean text, whole lines. */
  tail(): string;
  /** What repaints a terminal that joins now; for a run without one its tail. */
  screen(): Promise<string>;
  /** The CLI's own conversation as far as its stream told, for a later run. */
  readonly conversation: AgentConversation | undefined;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** Raw and clean text are masked. Every event of a run comes before its `exit`. */
export type RunnerEvent =
  | {
      readonly type: 'data';
      readonly stream: 'stdout' | 'stderr' | 'terminal';
      readonly raw: string;
      readonly clean: string;
    }
  | Interaction
  /** The question was withdrawn, or is no longer on the screen: nobody has to answer it. */
  | { readonly type: 'interaction.over' }
  | AgentUsage
  | { readonly type: 'agent'; readonly event: Exclude<AgentEvent, AgentUsage> }
  | { readonly type: 'exit'; readonly end: RunnerEnd };

/** The agent waits for a person: told by its stream, seen on its screen, or signalled by its adapter. */
export interface Interaction {
  readonly type: 'interaction';
  readonly source: 'stream' | 'screen' | 'adapter';
  readonly question: string;
  readonly choices: readonly string[];
  readonly payload: JsonObject;
}

export type RunnerEnd = {
  readonly durationMs: number;
  /** What it had left running when it ended by itself, and what became of that. */
  readonly left?: string;
} & (
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  /** `total`: it ran too long; `silence`: it said nothing for too long. */
  | { readonly kind: 'timed-out'; readonly limit: 'total' | 'silence'; readonly afterMs: number }
  /** By `stop` or by the signal of its owner. */
  | { readonly kind: 'stopped' }
  /** Ended because it would have come to nothing: its error says why. */
  | { readonly kind: 'given-up' }
);

export interface RunnerOptions {
  readonly adapter: IAgentAdapter;
  readonly cwd: string;
  /**
   * Complete: nothing else is inherited. The adapter's variables are laid over it, and the task's own over those.
   * Absent: the environment of this process, without what would mislead a child.
   */
  readonly env?: Environment;
  readonly taskEnv?: Environment;
  /** The file to start for the command of the adapter; undefined: as the search path has it. */
  readonly program?: (command: string) => string | undefined;
  /** Hides secrets in everything that is emitted or logged. Absent: nothing is hidden. */
  readonly masker?: Masker;
  readonly marker?: StepMarker;
  /** What keeps it from the rest of the machine. Absent: nothing does. */
  readonly wall?: Wall | undefined;
  /** Gets the whole raw output, masked, mode 0600. */
  readonly logFile?: string;
  /** Active time; waiting for a person does not count. */
  readonly timeoutMs?: number;
  /** Silence; a tool that runs is none. */
  readonly silenceMs?: number;
  /** How long it may wait by itself for its provider before it is given up. Absent: two minutes. */
  readonly ownWaitMs?: number;
  /** After how many equal calls of a tool, or equal failures, it is given up. Absent: never. */
  readonly sameTool?: number;
  readonly cancel?: AbortSignal;
  readonly size?: TerminalSize;
  /** How long the output must be quiet before the screen is looked at for questions. */
  readonly quietMs?: number;
}
