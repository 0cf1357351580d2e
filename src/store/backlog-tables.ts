import type { Generated } from 'kysely';

/** The rows of the backlog; the words of a state are checked by the schema and told in `src/tasks/backlog`. */
export interface BacklogTables {
  task: TaskTable;
  /** Every combination of role and agents that tasks were ever added with; there are few. */
  lane: { role: TaskTable['role']; name: string };
  task_dependency: { task: string; needs: string };
  run: RunTable;
  lease: LeaseTable;
  lease_path: LeasePathTable;
  artifact: ArtifactTable;
  task_event: TaskEventTable;
  agent_block: AgentBlockTable;
}

export interface TaskTable {
  /** Place in line among equals. */
  seq: Generated<number>;
  id: string;
  /** Where it was imported from, so that importing again does not add it again. */
  source: string | null;
  title: string;
  goal: string;
  kind: 'code' | 'research';
  role: 'worker' | 'tester' | 'docser';
  mode: 'github' | 'local-git' | 'direct' | null;
  allowed_paths: string;
  /** The allowed paths as clashes are looked for. */
  scope: string;
  denied_paths: string;
  expected_files: string;
  commands: string;
  priority: number;
  timebox_minutes: number | null;
  /** Its agents, joined by commas; empty: the configured ones. Tasks of one lane wait for the same accounts. */
  lane: string;
  budget: string | null;
  context: string | null;
  state: 'queued' | 'running' | 'done' | 'failed' | 'blocked' | 'cancelled';
  block_reason: 'awaiting_judge' | 'quota_wait' | 'needs_rework' | null;
  waits_for: string | null;
  waits_until: number | null;
  failure_code: string | null;
  attempts: number;
  quota_hits: number;
  notes: string | null;
  /** The session that the next run goes on with. */
  session: string | null;
  /** Of its newest lease; survives the lease, so that no epoch is given twice. */
  epoch: number;
  open_dependencies: number;
  /** Lower goes first: the time it was added, later by a fixed span per step of priority. */
  rank: number;
  /** The scope of a running task that means to change the same files. */
  held_by: string | null;
  held_since: number | null;
  /** When it goes back in line by itself. */
  wake_at: number | null;
  /** How many events it has had. */
  events: number;
  created_at: number;
  updated_at: number;
}

interface RunTable {
  task: string;
  id: string;
  attempt: number;
  session: string;
  /** The runtime that works on it. */
  agent: string;
  epoch: number;
  state: 'running' | 'success' | 'failed' | 'cancelled';
  started_at: number;
  finished_at: number | null;
  outcome: string | null;
}

export interface LeaseTable {
  task: string;
  run: string;
  agent: string;
  epoch: number;
  host: string;
  pid: number;
  start_time: string;
  /** Names the set of paths it may change; empty: none that others could clash with. */
  scope: string;
  paths: string;
  /** 0: taken away, and no longer the owner's to renew or release. */
  expires_at: number;
  lease_ms: number;
  /** Counts renewals: who watches it by its own clock sees whether the owner lives. */
  beat: number;
}

/** One allowed path of a running task; `prefix` is its literal beginning, by which clashes are found. */
interface LeasePathTable {
  prefix: string;
  pattern: string;
  task: string;
  wide: number;
  scope: string;
}

interface ArtifactTable {
  seq: Generated<number>;
  task: string;
  run: string;
  type: string;
  ref: string;
  data: string | null;
  created_at: number;
}

interface TaskEventTable {
  task: string;
  /** Counts the events of the task. */
  seq: number;
  at: number;
  epoch: number;
  state: string;
  block_reason: string | null;
  reason: string;
}

interface AgentBlockTable {
  agent: string;
  until: number;
  reason: string;
  since: number;
}
