import type { ProcessIdentity } from '../kernel/process-identity.ts';
import type { RepositoryMode, Role } from '../kernel/runtime-words.ts';
import type { Obstacle } from './change-set.ts';
import type { Changes } from './changes.ts';
import type { Release } from './release.ts';
import type { Task } from './task.ts';
import type { TaskState } from './words.ts';

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
  /** How many tasks of the role may run at once, wherever; absent: as many as there are places. */
  readonly most?: number;
  /** Files of which only one task at a time may change any: each a list of patterns with spaces between them. */
  readonly areas?: readonly string[];
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
  /** Steps of the session were finished under an earlier claim: a session that is missing now has lost them. */
  readonly advanced?: true;
  /** Who had it before and may still have processes running. */
  readonly takenFrom?: { readonly agentId: string; readonly owner: ProcessIdentity; readonly epoch: number };
}

/** What is recorded about a claim and its task. */
export interface Standing {
  readonly state: TaskState;
  /** The runtime that the run belongs to; absent when this claim is not its newest. */
  readonly runBy?: string;
  /** Somebody runs the task under a later epoch. */
  readonly superseded: boolean;
  /** How long ago the task was touched, but for this claim. */
  readonly touchedAgoMs: number;
}

/** How many renewals fit into a lease: two may be late before it is lost. */
const BEATS = 3;
/** A task that is cancelled or taken away is let go of within this. */
const LONGEST_BEAT_MS = 5000;

/** How often the owner of a lease renews it. */
export function beatMs(leaseMs: number): number {
  return Math.min(LONGEST_BEAT_MS, leaseMs / BEATS);
}

/** How often a task may lose its owner without one finished step in between. */
const DEATHS = 3;

/** Whether a task is ended that has lost its owner so often: something in it ends whoever runs it. */
export function diedTooOften(deaths: number): boolean {
  return deaths >= DEATHS;
}

/**
 * Decides who runs which task when. Invariants of every implementation, which the conformance suite checks:
 * 1. At any moment a task has at most one lease; a claim is atomic across processes.
 * 2. Epochs of a task only grow. Whoever holds an older one can renew, extend and release nothing.
 * 3. Releasing changes task, run, artifacts and lease at once, or nothing.
 * 4. A lost lease (expired and not renewed while it was watched, or its process is gone) is taken over with the next
 *    epoch, the same run and session. A task whose owners die one after another is ended instead: see `diedTooOften`.
 * 5. Only tasks in line are claimed: role fits, dependencies done, an agent with quota, no running task and no
 *    session that means to change the same files. Of those the first by priority, then age.
 * 6. Leases are judged by the clock of the store, never by that of whoever asks.
 * 7. Nobody waits for ever behind others: a task that cannot run holds up nobody else, age outweighs priority in
 *    the end, and one that was passed over for long is let through before more of what it clashes with.
 */
export interface Scheduler extends Changes {
  /** Lost tasks first, then the next in line; undefined when there is nothing to do now. */
  claim(request: ClaimRequest): Promise<Claim | undefined>;
  /** False: the lease is lost, and so is the task. */
  renew(claim: Claim): Promise<boolean>;
  /** A step was finished: what the next owner finds is worth continuing, and its owners do not die of it. */
  advance(claim: Claim): Promise<void>;
  /** How a claim stands by what is recorded now; undefined when its task was removed. */
  stillMine(claim: Claim): Promise<Standing | undefined>;
  /** The task means to change these too; gives who is in the way, or undefined when the lease is lost. */
  extend(claim: Claim, files: readonly string[]): Promise<readonly Obstacle[] | undefined>;
  /** False: the lease is lost and nothing was changed. */
  release(claim: Claim, release: Release): Promise<boolean>;
  requeue(taskId: string, options: { readonly reason: string; readonly notes?: string }): Promise<void>;
  /** Also while it runs: its owner learns it from the next renewal. */
  cancel(taskId: string, reason: string): Promise<void>;
  /** A person accepts what waits for a verdict. */
  approve(taskId: string, reason: string): Promise<void>;
  /** A person took what it had delivered out of its base again: it waits for a verdict once more. */
  reopen(taskId: string, reason: string): Promise<void>;
  /** When time alone may make something claimable: a wait that ends, or a lease that runs out. */
  nextWake(): Promise<number | undefined>;
}
