import type { JsonObject } from '../kernel/json.ts';
import type { ProcessIdentity } from '../kernel/process-identity.ts';
import type { TaskExit } from './task.ts';

/**
 * What a worker writes into the journal in the middle of a step. This is the journal's own format: a field may be
 * added, none may change its meaning. Types, not interfaces, so that a note is a JSON value.
 */
export type ProgressNote =
  | TaskNote
  | SaidNote
  | BlockedNote
  | ConversationNote
  | CheckpointNote
  | ProcessNote
  | DeliveryLaterNote
  | RetriedNote
  | ContextNote
  | OwnNote;

/** A task of the step changed its status. */
export type TaskNote = { readonly type: 'task'; readonly task: string } & (
  | { readonly status: 'PENDING' }
  | {
      readonly status: 'RUNNING';
      /** Only when a process was started; without one it continues after a question. */
      readonly process?: ProcessIdentity;
      readonly agent?: string;
      readonly mode?: string;
    }
  | { readonly status: 'WAITING_FOR_USER'; readonly question: string; readonly choices: readonly string[] }
  | {
      readonly status: 'DONE';
      readonly exit: TaskExit;
      /** A person called it complete, or stopped it; absent when it ended by itself. */
      readonly by?: string;
      /** Of a stage task: everything that is needed of it later. */
      readonly result?: TaskResult;
      readonly conversation?: JsonObject;
    }
  | { readonly status: 'ERROR'; readonly problem: string }
);

export type TaskResult = {
  readonly ok: boolean;
  readonly output: string;
  readonly files: readonly string[];
  /** Why it does not count as well. */
  readonly problem?: string;
};

/** A prompt that a task was given, or what a person typed into it. */
export type SaidNote = {
  readonly type: 'said';
  readonly task: string;
  readonly said: 'prompt' | 'input';
  readonly text: string;
  readonly at: number;
};

/** An agent cannot work before a time: its quota is spent, or its service is down. */
export type BlockedNote = {
  readonly type: 'blocked';
  readonly agent: string;
  readonly until: number;
  /** When it was noted, by the clock that `until` goes by; earlier versions did not say. */
  readonly at?: number;
  readonly reason: string;
  /** What kind of error it was. */
  readonly cause: string;
  readonly task?: string;
  readonly conversation?: JsonObject;
};

/** A task was cut off in the middle of a conversation that it can continue. */
export type ConversationNote = {
  readonly type: 'conversation';
  readonly task: string;
  readonly agent?: string;
  readonly conversation: JsonObject;
};

/** The files were kept on the way: after a task of the step, or before the first step. */
export type CheckpointNote = { readonly type: 'checkpoint'; readonly files: string; readonly task?: string };

/** A process that is not a task was started. */
export type ProcessNote = { readonly type: 'process'; readonly process: ProcessIdentity };

/** The work could not be delivered yet. */
export type DeliveryLaterNote = { readonly type: 'delivery.later'; readonly reason: string };

/** Before the notes of a step that a person asked to run again: it was not merely interrupted. */
export type RetriedNote = { readonly type: 'retried' };

/** Which files a worker was shown, so that their contents can be told from what they are later. */
export type ContextNote = { readonly type: 'context'; readonly files: readonly ShownFile[] };

export type ShownFile = {
  readonly path: string;
  /** Of the content as it was shown; absent where there was none to show. */
  readonly digest?: string;
};

/** Whatever a worker of the user's own wants to find again. */
export type OwnNote = { readonly type: 'own'; readonly data: JsonObject };
