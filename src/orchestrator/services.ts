import type { Clock } from '../kernel/clock.ts';
import type { MakeId } from '../kernel/ids.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Budget } from '../manifest/definition.ts';
import type { ExecutionPayload } from '../manifest/segment.ts';
import type { WorkerSources } from '../workers/workers-for.ts';
import type { AdmissionPort } from './engine/admission-port.ts';
import type { ArtifactSelector } from './engine/artifacts.ts';
import type { GuardPort } from './engine/guard-port.ts';
import type { LiveView } from './engine/live-view.ts';
import type { PathRules } from './engine/paths.ts';
import type { SpendPort } from './engine/spend-port.ts';
import type { TreePort } from './engine/tree-port.ts';
import type { SessionPaths, TaskLink, WorkflowSource } from './state/record.ts';
import type { SessionManager } from './state/session-manager.ts';

/** What the engine works with. Only `workers` is required; the rest has a sensible stand-in. */
export interface OrchestratorServices extends WorkerSources {
  /** Where blocks read and write files and start processes. */
  readonly worktreePath?: string;
  /** Where sessions are kept; in memory when absent. */
  readonly sessions?: SessionManager;
  /** The files of a session's change plan, for the primary artifact. */
  readonly plannedFiles?: () => readonly string[] | Promise<readonly string[]>;
  readonly artifacts?: ArtifactSelector;
  /** JSON Schemas that blocks can name in `validationSchema`, beside the manifest's own. */
  readonly schemas?: { readonly [name: string]: JsonObject };
  /** What `{{config.x}}` means. */
  readonly config?: JsonObject;
  /** The files of the session: their identity for gates and, where they are kept, their checkpoints. */
  readonly tree?: TreePort;
  /** Halts the session when what steers git or loopwright was changed. */
  readonly guard?: GuardPort;
  /** Halts the session when files were changed that it may not touch; absent: nobody looks. */
  readonly paths?: PathRules;
  /** Makes the session wait for others that change the same files. */
  readonly admission?: AdmissionPort;
  /** Counts what is used over all sessions of a project. */
  readonly spend?: SpendPort;
  /** Let other terminals reach the running tasks: attach, answer, complete, stop. Sessions on disk only. */
  readonly control?: boolean;
  readonly onState?: (view: LiveView) => void;
  readonly clock?: Clock;
  readonly ids?: MakeId;
}

export interface ExecuteOptions {
  readonly goal?: string;
  readonly inputs?: JsonObject;
  /** The task of the backlog that the session is a run of. */
  readonly task?: TaskLink;
  /** The history to begin with. */
  readonly payload?: ExecutionPayload;
  /** The id of the new session, when something was prepared under it already. */
  readonly sessionId?: string;
  /** Halt before every block. */
  readonly stepping?: boolean;
  /** Replaces the named parts of the manifest's budget. */
  readonly budget?: Budget;
  /** What it may and must not change, from the top of its files. */
  readonly paths?: SessionPaths;
  /** Where the manifest came from, for whoever looks at the session later. */
  readonly workflow?: string;
  /** What the manifest was made of, for taking it up again after a correction. */
  readonly source?: WorkflowSource;
  /** Which wall stands around its children, or why none does. */
  readonly sandbox?: string;
}
