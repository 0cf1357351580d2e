import type { JsonObject, JsonValue } from '../kernel/json.ts';
import type { WaitCause } from '../kernel/wait-cause.ts';
import type { RosterEntry } from './definition.ts';
import type { WorkerKind } from './origin.ts';
import type { ProgressNote } from './progress-note.ts';
import type { ReplyTerms } from './reply-terms.ts';
import type { ContextSegment, ExecutionPayload } from './segment.ts';
import type { LiveTask, TaskEvent } from './task.ts';

/** The five layers a worker receives, in order of priority. Everything in here is frozen. */
export interface WorkerContext {
  readonly execution_payload: ExecutionPayload;
  readonly contract: Contract;
  /** Static memory of the node and of its callers, the nearest winning. */
  readonly inherited_context: JsonObject;
  readonly primary_artifact: readonly ArtifactFile[];
  readonly system_metadata: SystemMetadata;
  /** All five layers as one ordered list of segments, for a model. */
  flatten(): ExecutionPayload;
}

export interface Contract {
  readonly instructions?: string;
  /** How a worker answers that changes no files itself. */
  readonly answerFormat?: string;
  readonly persona?: string;
  /** The block's `with`: parameters of the worker. */
  readonly with: JsonObject;
  /** Whether the block asks for a reply in JSON, and the signals that such a reply may choose. */
  readonly reply: ReplyTerms;
  /** What its output is held against. */
  readonly schema?: JsonObject;
}

/** The instructions for a worker that answers with what files are to hold. */
export function wholeInstructions({
  instructions,
  answerFormat,
}: Pick<Contract, 'instructions' | 'answerFormat'>): string | undefined {
  const parts = [instructions, answerFormat].filter((text) => text !== undefined);
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

export interface ArtifactFile {
  readonly path: string;
  readonly exists: boolean;
  readonly content?: string;
  readonly truncated?: boolean;
  /** Why a file that is there has no content here. */
  readonly unreadable?: string;
}

export interface SystemMetadata {
  readonly worktree_path?: string;
  readonly block_id: string;
  readonly node_id: string;
  readonly session_id: string;
  /** Which owner of the session runs this step: it counts up whenever a process takes the session. */
  readonly epoch: number;
  readonly step: number;
  /** How many calls deep the block runs. */
  readonly call_depth: number;
  readonly goal: string;
}

export interface WorkerResult {
  readonly signal: string;
  readonly new_payload: ExecutionPayload;
  /** Why a success is no evidence; a gate stays closed then. Null: the worker has held it against its earlier runs itself. */
  readonly doubt?: Doubt | null;
}

/** `unproven`: what was run could not have failed. `flaky`: it was red and green on the same files. */
export interface Doubt {
  readonly kind: 'unproven' | 'flaky';
  /** Half a sentence: `its command only says something`. */
  readonly why: string;
}

export interface Usage {
  readonly tokens?: number;
  readonly usd?: number;
}

/** Usage as a worker tells it. */
export interface ToldUsage extends Usage {
  /** Whose tokens cost money that nobody can tell: a budget of money cannot hold then. */
  readonly unpriced?: string;
}

export interface Question {
  readonly question: string;
  readonly choices?: readonly string[];
}

/** What a worker may do besides answering: everything here is for the one step that is running. */
export interface WorkerRun {
  /** Fires when the step is cancelled, its time is up or its budget is spent. */
  readonly cancel: AbortSignal;
  /** Makes a segment with an id that is new in the payload. */
  segment(type: string, content: JsonValue, extra?: JsonObject): ContextSegment;
  /** Live output for whoever watches; not part of the result. */
  output(text: string): void;
  /** Adds to the session's usage at once, so a budget can stop the step in the middle. */
  usage(used: ToldUsage): void;
  /** Writes a note into the journal before the step ends; run again, the step finds its notes in `earlier`. */
  progress(note: ProgressNote): void;
  /** What this step noted before it was interrupted, parked or retried. */
  readonly earlier: readonly ProgressNote[];
  /** Tells whoever watches about a task of this step; not written to the journal. */
  tell(event: TaskEvent): void;
  /** Makes a running task reachable for people; the returned function takes it back. */
  live(task: LiveTask): () => void;
  /** Keeps the files as they are now that a task is done, so that a later death does not lose its work. */
  checkpoint(task: string): Promise<void>;
  /** Waiting for a person is not active time: stops the clock of the step until the returned function is called. */
  stopClock(): () => void;
  /** The person's answer. Not there yet: throws `Suspended`, which a worker must let pass; the session halts. */
  ask(question: Question): string;
  /** What a person answered to this very question after the session had halted on it. */
  answered?(question: string): string | undefined;
  /** How long somebody is waited for who answers a running agent; absent: as long as it takes. */
  readonly patienceMs?: number | undefined;
  /** Nobody answers: the step ends, and the session halts on the question. */
  giveUp?(question: Question): void;
  /**
   * Throws `Suspended`: the session parks and this block is run again then, without a counted visit. `agent` is the
   * one that cannot work before.
   */
  park(until: Date, reason: string, why?: { readonly agent?: string; readonly cause?: WaitCause }): never;
  /**
   * Whether a conversation of an agent, as the history names it, may be continued: not one that knows of steps which
   * are no part of this session, and one that belongs to another session only as a copy.
   */
  continues?(conversation: string): Continues;
  /** What the session may still use of its budget, as far as it has one. */
  readonly left?: { readonly usd?: number; readonly tokens?: number };
  /** After how many equal calls of a tool an agent is ended. */
  readonly sameTool?: number;
  /** The workflow has checks that decide whether the work is right. */
  readonly checked?: boolean;
  /** Where the full log of this step belongs; undefined when the session is not stored on disk. */
  logFile(name: string): string | undefined;
}

export type Continues = 'yes' | 'fork' | 'no';

export interface Worker {
  /** Whose words its answers are. Absent: a program's, so that nothing it says counts as a fact. */
  readonly kind?: WorkerKind;
  /** Every signal it can emit; validation warns where a block does not handle one. Absent: unknown. */
  readonly signals?: readonly string[];
  readonly persona?: string;
  /** Said by a worker that only reads: its steps need no checkpoint of their own, the one before them holds. */
  readonly changesFiles?: false;
  /** Problems of a block's `with`, found at load. */
  checkWith?(parameters: JsonObject): string[];
  /** What a person should know about a block's `with`, found at load. */
  warnAboutWith?(parameters: JsonObject): string[];
  /** Problems of a roster entry that this worker runs, found at load; `warning` does not keep it from running. */
  checkRoster?(entry: RosterEntry): readonly { readonly warning: boolean; readonly message: string }[];
  /** Signals that depend on the block's `with`, such as the choices of a question. */
  signalsFor?(parameters: JsonObject): readonly string[];
  run(context: WorkerContext, run: WorkerRun): Promise<WorkerResult>;
}

export type WorkerFunction = (context: WorkerContext, run: WorkerRun) => WorkerResult | Promise<WorkerResult>;

/** How the engine finds a worker. `names` lets validation find unknown ones before anything runs. */
export interface WorkerRegistry {
  get(name: string): Worker | undefined;
  names?(): readonly string[];
}

export type SuspendReason =
  | { readonly kind: 'question'; readonly question: Question }
  | {
      readonly kind: 'park';
      readonly until: number;
      readonly reason: string;
      /** The agent that cannot work before then. */
      readonly agent?: string;
      readonly cause?: WaitCause;
    };

/** Thrown through a worker to stop a step that did not happen; only the engine catches it. */
export class Suspended extends Error {
  constructor(readonly reason: SuspendReason) {
    super(`suspended: ${reason.kind}`);
    this.name = 'Suspended';
  }
}

export const SUCCESS = 'SIGNAL:SUCCESS';
export const FAILURE = 'SIGNAL:FAILURE';
export const FAIL_DEFAULT = 'SIGNAL:FAIL_DEFAULT';
export const VALIDATION_FAIL = 'SIGNAL:VALIDATION_FAIL';
export const LIMIT_REACHED = 'SIGNAL:LIMIT_REACHED';
/** The checks pass, and the work made them worth less. */
export const SUSPICIOUS = 'SIGNAL:SUSPICIOUS';
/** Its time was up; what it did until then may be worth looking at. */
export const TIMED_OUT = 'SIGNAL:TIMED_OUT';

/** The signal that a value of the output stands for: `needs work` becomes `SIGNAL:NEEDS_WORK`. */
export function signalOfValue(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `SIGNAL:${text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '_')}`;
}
