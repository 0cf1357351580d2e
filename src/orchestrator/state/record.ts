import type { JsonObject } from '../../kernel/json.ts';
import type { WaitCause } from '../../kernel/wait-cause.ts';
import type { Budget } from '../../manifest/definition.ts';
import type { ProgressNote } from '../../manifest/progress-note.ts';
import type { Address, BlockId } from '../../manifest/resolved.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import type { Doubt, Question, Usage } from '../../manifest/worker.ts';
import type { Conversations } from './conversations.ts';
import type { Delivery } from './delivery.ts';
import type { Owner } from './owner.ts';
import type { Used } from './session-state.ts';
import type { SessionStatus } from './status.ts';
import type { Segments } from './stored-segments.ts';

/** One line of the journal. A session's state is nothing but the fold of its records (`apply`). */
export type JournalRecord =
  | ClaimedRecord
  | BasedRecord
  | CreatedRecord
  | StepRecord
  | ProgressRecord
  | UsageRecord
  | StatusRecord
  | ReleasedRecord
  | RewoundRecord
  | MovedRecord
  | ManifestRecord
  | ForkedRecord
  | DeliveryRecord
  | ContinuedRecord;

/** First line of every epoch: who owns the session from here on. */
export interface ClaimedRecord {
  readonly t: 'claimed';
  readonly format: number;
  readonly epoch: number;
  readonly owner: Owner;
  readonly at: number;
}

/** Second line of a later epoch: how much of which earlier journal counts. */
export interface BasedRecord {
  readonly t: 'based';
  readonly epoch: number;
  readonly bytes: number;
}

export interface CreatedRecord {
  readonly t: 'created';
  readonly id: string;
  readonly goal: string;
  readonly inputs: JsonObject;
  /** The task of the backlog that the session is a run of. */
  readonly task?: TaskLink;
  /** What the placeholders of the configuration meant when it began; only those that the manifest has. */
  readonly config?: JsonObject;
  readonly start: BlockId;
  readonly digest: string;
  readonly budget: Budget;
  readonly stepping: boolean;
  readonly payload: readonly ContextSegment[];
  readonly worktree?: string;
  /** The session that it begins as, and after which step of it. */
  readonly forkedFrom?: ForkedFrom;
  /** What it may do with the conversations of that session. */
  readonly conversations?: Conversations;
  /** The checkpoint of the files before the first step. */
  readonly files?: string;
  readonly workflow?: string;
  /** What the manifest was made of, for taking it up again after a correction. */
  readonly source?: WorkflowSource;
  /** What it may and must not change, from the top of the repository; none allowed: everything. */
  readonly paths?: SessionPaths;
  /** Which wall stood around its children when it began, or why none did. */
  readonly sandbox?: string;
  readonly at: number;
}

export interface WorkflowSource {
  readonly file: string;
  /** The agent that was put in the place of its workers. */
  readonly agent?: string;
}

export interface ForkedFrom {
  readonly session: string;
  readonly step: number;
}

export interface SessionPaths {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** What a person allowed later; it narrows nothing. */
  readonly opened?: readonly string[];
}

export interface TaskLink {
  readonly id: string;
  /** Which run of it. */
  readonly run?: string;
  /** Where its text was imported from: whoever wrote it gives no instructions of ours. */
  readonly source?: string;
}

/** A block was executed, or its limit stopped it (`ran: false`). Everything the step changed, and nothing else. */
export interface StepRecord {
  readonly t: 'step';
  readonly step: number;
  readonly block: BlockId;
  readonly ran: boolean;
  readonly signal: string;
  /** Which entry of the transitions table was used; `none` ends the run at an empty table. */
  readonly matched: 'exact' | 'default' | 'none';
  readonly action: string | null;
  readonly next: BlockId | null;
  /** The return stack after the step, as a change: keep the first `keep` addresses, then push. */
  readonly stack?: { readonly keep: number; readonly push: readonly Address[] };
  readonly added: Segments;
  readonly dropped?: readonly string[];
  /** Only for blocks with limits. `failure` is the signature of what went wrong. */
  readonly counted?: { readonly failure?: string };
  /** The checkpoint of the files after the step, when it changed any. */
  readonly files?: string;
  /** Only for gates: what the tree was when the block answered. */
  readonly tree?: string;
  /** Files that were changed and may not be. */
  readonly strayed?: readonly string[];
  /** Only for gates: why its success is no evidence. */
  readonly doubt?: Doubt;
  readonly ms: number;
  /** How much of `ms` was counted by usage records already. */
  readonly counted_ms?: number;
  readonly at: number;
  readonly status?: StatusChange;
}

/** A note a worker left in the middle of a step; not flushed. */
export interface ProgressRecord {
  readonly t: 'progress';
  readonly step: number;
  /** One without a type is of an earlier version; `readNotes` understands both. */
  readonly note: ProgressNote | JsonObject;
}

/** Money and tokens are gone even when the step that spent them never finished. */
export interface UsageRecord extends Usage {
  readonly t: 'usage';
  /** Active time of a step that has not finished, and the block that used it. */
  readonly ms?: number;
  readonly block?: BlockId;
}

export interface StatusRecord {
  readonly t: 'status';
  readonly change: StatusChange;
  /** What a person said with it. */
  readonly added?: readonly ContextSegment[];
  readonly at: number;
}

/** A person took the session back to an earlier step, from whatever state it was in then. */
export interface RewoundRecord {
  readonly t: 'rewound';
  readonly halt: Halt;
  /** What was used up in all: what is spent stays spent. */
  readonly used?: Used;
  /** Those of its conversations that know what came later. */
  readonly conversations?: Conversations;
  readonly at: number;
}

/** The session works in another folder from now on: it came from another clone. */
interface MovedRecord {
  readonly t: 'moved';
  readonly worktree: string;
}

/** From here on the session runs on another manifest: somebody corrected the workflow and took it up. */
export interface ManifestRecord {
  readonly t: 'manifest';
  readonly digest: string;
  readonly before: string;
  readonly budget: Budget;
  readonly at: number;
}

/** Last line of what a fork begins with: nobody has set it going yet. */
interface ForkedRecord {
  readonly t: 'forked';
  readonly from: string;
  readonly step: number;
  readonly at: number;
}

/** A person decided about its files. */
interface DeliveryRecord {
  readonly t: 'delivery';
  readonly delivery: Delivery;
}

/** The owner has let go: anyone may claim the next epoch. */
export interface ReleasedRecord {
  readonly t: 'released';
}

/** A person, or the passing of time, set the session going again. */
export interface ContinuedRecord {
  readonly t: 'continued';
  readonly how: 'resume' | 'retry';
  readonly next: BlockId | null;
  readonly stack?: readonly Address[];
  /** The last step is run again, from the stack it began with. */
  readonly undo?: true;
  readonly added: readonly ContextSegment[];
  readonly answer?: string;
  /** Paths that a person allows from here on. */
  readonly allow?: readonly string[];
  /** The configuration, where it is another one than before. */
  readonly config?: JsonObject;
  readonly budget?: Budget;
  readonly stepping?: boolean;
  /** The blocks that may run once more although their limit is reached; journals of earlier versions name one. */
  readonly granted?: BlockId | readonly BlockId[];
  readonly at: number;
}

export type StatusChange =
  | {
      readonly to: Exclude<SessionStatus, 'halted' | 'parked' | 'failed' | 'waiting' | 'completed'>;
      readonly reason?: string;
    }
  | { readonly to: 'completed'; readonly outcome?: SessionOutcome; readonly reason?: string }
  | { readonly to: 'waiting'; readonly reason?: string; readonly sessions?: readonly string[] }
  | { readonly to: 'halted'; readonly halt: Halt }
  | {
      readonly to: 'parked';
      readonly until: number;
      readonly reason: string;
      readonly agent?: string;
      /** Absent in journals of earlier versions. */
      readonly cause?: WaitCause;
      /** It waits for another day, unless a person lets this one use more. */
      readonly raise?: RaiseDay;
    }
  | { readonly to: 'failed'; readonly error: Failure };

/** `no_change`: it reached its end, and every file is as it was. */
export type SessionOutcome = 'no_change';

export interface RaiseDay {
  readonly unit: string;
  readonly more: number;
}

export type HaltReason =
  | 'flag'
  | 'step'
  | 'limit'
  | 'budget'
  | 'gate'
  | 'question'
  | 'interrupted'
  | 'rewound'
  | 'files'
  /** What steers git or loopwright was changed while a step ran. */
  | 'tampered'
  /** Not one file was left of those that it works on. */
  | 'emptied'
  /** Its checks pass, and the work made them worth less: a person decides. */
  | 'suspicious'
  /** A gate passed with a command that could not have failed. */
  | 'unproven'
  /** A command was red and green on the same files. */
  | 'flaky'
  /** The gates are open, but no file was changed: they prove nothing about the goal. */
  | 'no_change'
  /** Files were changed that the session may not touch. */
  | 'paths';

export interface Halt {
  readonly reason: HaltReason;
  readonly message: string;
  /** The block that asked for the halt; `retry` runs it again. */
  readonly block: BlockId | null;
  /** Where `resume` continues; an end address is resolved against the stack then. */
  readonly resumeAt: Address | null;
  readonly question?: Question;
  /** Nobody answered while its agent waited. */
  readonly unanswered?: true;
  /** Where `retry` begins instead of at the block: with the one that can act on what the block found. */
  readonly retry?: { readonly at: BlockId; readonly stack?: readonly Address[] };
  /** Of `paths`: the files. */
  readonly paths?: readonly string[];
}

export interface Failure {
  readonly message: string;
  readonly block: BlockId | null;
  readonly detail?: string;
  /** What has to be corrected, where that is the workflow and not the work. */
  readonly in?: 'manifest';
}
