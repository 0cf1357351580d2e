import type { RepositoryMode, Role } from '../../config/runtime/settings.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import type { FailureCategory } from '../backlog/retries.ts';
import type { RunState, Task } from '../backlog/task.ts';

/** Who asks for work. */
export interface ClaimRequest {
  /** The name of the runtime. */
  readonly agentId: string;
  readonly role: Role;
  /** The configured agents, for tasks that name none. */
  readonly agents: readonly string[];
  /** The configured mode, for tasks that name none. */
  readonly mode: RepositoryMode;
  readonly leaseMs: number;
  /** This task and no other, if it is in line. */
  readonly only?: string;
}

/** The right to run a task, until it is released or lost. */
export interface Claim {
  readonly task: Task;
  readonly runId: string;
  readonly sessionId: string;
  readonly attempt: number;
  readonly epoch: number;
  readonly leaseMs: number;
  /** The agents of the task that are not out of quota, in order. */
  readonly agents: readonly string[];
  /** The session may exist already: look at it before starting one. */
  readonly continues: boolean;
  /** Who had it before and may still have processes running. */
  readonly takenFrom?: { readonly agentId: string; readonly owner: ProcessIdentity; readonly epoch: number };
}

/** A recorded product of a run; the same type and ref of a run is recorded once. */
export interface Artifact {
  readonly type: string;
  readonly ref: string;
  readonly data?: JsonObject;
}

interface Ending {
  /** Why, in words for the list of events. */
  readonly reason: string;
  /** Evidence and cost, kept with the run. */
  readonly outcome?: JsonObject;
  readonly artifacts?: readonly Artifact[];
  /** For the next attempt. */
  readonly notes?: string;
  /** Otherwise what goes with the state: success, failed or cancelled. */
  readonly runState?: Exclude<RunState, 'running'>;
}

/** What becomes of a claimed task. */
export type Release = Ending &
  (
    | { readonly state: 'done' }
    | {
        readonly state: 'blocked';
        readonly block: 'awaiting_judge' | 'needs_rework';
        readonly failureCode?: string;
        readonly waitsFor?: string;
      }
    /** `agent` is out of quota until then: every task that needs it waits with this one. */
    | {
        readonly state: 'blocked';
        readonly block: 'quota_wait';
        readonly until: number;
        readonly agent?: string;
        /** Where it is no agent that is waited for. */
        readonly waitsFor?: string;
      }
    | { readonly state: 'failed'; readonly failureCode: string; readonly category: FailureCategory }
    /** Given back: the next run goes on with the same session and counts as the same attempt. */
    | {
        readonly state: 'queued';
        /** Nobody claims it before. */
        readonly until?: number;
        readonly waitsFor?: string;
      }
    | { readonly state: 'cancelled' }
  );

/**
 * Decides who runs which task when. Invariants of every implementation, which the conformance suite checks:
 * 1. At any moment a task has at most one lease; a claim is atomic across processes.
 * 2. Epochs of a task only grow. Whoever holds an older one can renew, record and release nothing.
 * 3. Releasing changes task, run, artifacts and lease at once, or nothing.
 * 4. A lost lease (expired, or its process is gone) is taken over with the next epoch, the same run and session.
 * 5. Only tasks in line are claimed: role fits, dependencies done, an agent with quota, no running task that
 *    means to change the same files. Of those the first by priority, then age.
 * 6. Nobody waits for ever behind others: a task that cannot run holds up nobody else, age outweighs priority in
 *    the end, and one that was passed over for long is let through before more of what it clashes with.
 */
export interface Scheduler {
  /** Lost tasks first, then the next in line; undefined when there is nothing to do now. */
  claim(request: ClaimRequest): Promise<Claim | undefined>;
  /** False: the lease is lost, and so is the task. */
  renew(claim: Claim): Promise<boolean>;
  /** Records products while the task runs; false: the lease is lost and nothing was recorded. */
  record(claim: Claim, artifacts: readonly Artifact[]): Promise<boolean>;
  /** False: the lease is lost and nothing was changed. */
  release(claim: Claim, release: Release): Promise<boolean>;
  /** Takes the lease away from its owner, whoever that is; the next claim takes the task over. */
  expire(taskId: string): Promise<boolean>;
  requeue(taskId: string, options: { readonly reason: string; readonly notes?: string }): Promise<void>;
  /** Also while it runs: its owner learns it from the next renewal. */
  cancel(taskId: string, reason: string): Promise<void>;
  /** A person accepts what waits for a verdict. */
  approve(taskId: string, reason: string): Promise<void>;
  /** Every task that needs this agent waits until then. */
  blockAgent(agent: string, block: { readonly until: number; readonly reason: string }): Promise<void>;
  unblockAgent(agent: string): Promise<void>;
  /** When time alone may make something claimable: a wait that ends, or a lease that runs out. */
  nextWake(): Promise<number | undefined>;
}
