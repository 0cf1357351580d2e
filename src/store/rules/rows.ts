import type { FailureClass } from '../../backlog/retries.ts';
import type { BlockReason, RunState, TaskKind, TaskState } from '../../backlog/words.ts';
import type { RepositoryMode, Role } from '../../kernel/runtime-words.ts';
import type { WaitCause } from '../../kernel/wait-cause.ts';

/** Rows as the statements see them. Times are milliseconds since 1970, truth values 0 and 1, lists JSON texts. */
export interface TaskRow {
  /** Place in line among equals. */
  readonly seq: number;
  readonly id: string;
  /** Where it was imported from, so that importing again does not add it again. */
  readonly source: string | null;
  readonly title: string;
  readonly goal: string;
  readonly kind: TaskKind;
  readonly role: Role;
  readonly mode: RepositoryMode | null;
  readonly allowed_paths: string;
  /** Its change set, as clashes are looked for. */
  readonly scope: string;
  readonly denied_paths: string;
  readonly expected_files: string;
  readonly commands: string;
  readonly priority: number;
  readonly timebox_minutes: number | null;
  /** Its agents, joined by commas; empty: the configured ones. Tasks of one lane wait for the same accounts. */
  readonly lane: string;
  readonly budget: string | null;
  readonly context: string | null;
  readonly state: TaskState;
  readonly block_reason: BlockReason | null;
  readonly waits_for: string | null;
  readonly waits_until: number | null;
  readonly failure_code: string | null;
  readonly failure_class: FailureClass | null;
  /** How often it failed in each class since a person put it in line. */
  readonly failures: string;
  readonly wait_cause: WaitCause | null;
  readonly attempts: number;
  readonly quota_hits: number;
  readonly notes: string | null;
  /** The session that the next run continues. */
  readonly session: string | null;
  /** Of its newest lease; survives the lease, so that no epoch is given twice. */
  readonly epoch: number;
  readonly open_dependencies: number;
  /** Lower goes first: the time it was added, later by a fixed span per step of priority. */
  readonly rank: number;
  /** The key of the change set of whoever means to change the same files: a running task, or a session. */
  readonly held_by: string | null;
  readonly held_since: number | null;
  /** When it goes back in line by itself. */
  readonly wake_at: number | null;
  /** How many events it has had. */
  readonly events: number;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface RunRow {
  readonly task: string;
  readonly id: string;
  readonly attempt: number;
  readonly session: string;
  /** The runtime that works on it. */
  readonly agent: string;
  readonly epoch: number;
  readonly state: RunState;
  readonly started_at: number;
  readonly finished_at: number | null;
  readonly outcome: string | null;
}

export interface LeaseRow {
  readonly task: string;
  readonly run: string;
  readonly agent: string;
  readonly epoch: number;
  readonly host: string;
  readonly pid: number;
  readonly start_time: string;
  /** Names the set of paths it may change; empty: none that others could clash with. */
  readonly scope: string;
  /** The prefixes of its planned paths, by which they are found again. */
  readonly paths: string;
  readonly expires_at: number;
  readonly lease_ms: number;
  /** Counts renewals: who watches it by its own clock sees whether the owner lives. */
  readonly beat: number;
  /** How often it lost its owner since the last step that was finished. */
  readonly deaths: number;
}

export interface ArtifactRow {
  readonly run: string;
  readonly type: string;
  readonly ref: string;
  readonly data: string | null;
  readonly created_at: number;
}

export interface EventRow {
  readonly at: number;
  readonly epoch: number;
  readonly state: string;
  readonly block_reason: string | null;
  readonly reason: string;
}
