import type { Artifact } from '../../backlog/release.ts';
import type { Claim } from '../../backlog/scheduler.ts';
import type { Config } from '../../config/load-config.ts';
import type { RuntimeSettings } from '../../config/runtime/settings.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import type { GuardPort } from '../../orchestrator/engine/guard-port.ts';
import type { TreePort } from '../../orchestrator/engine/tree-port.ts';
import type { BaselineCheck } from '../../verification/baseline.ts';
import type { TaskTree } from '../../verification/task-tree.ts';
import type { InspectionPort } from '../../workers/services.ts';

/** Where a claimed task works, made ready; one implementation per repository mode. */
export interface PreparedTree {
  /** Where the agent and the checks run. */
  readonly path: string;
  /** What was done to it, and how it is undone. */
  readonly taskTree: TaskTree;
  /** Checkpoints of the files; direct mode has none. */
  readonly tree?: TreePort;
  /** Watches over what steers git while the task is at work. */
  readonly guard?: GuardPort;
  /** Lets the checks themselves be looked at; absent where there is nothing to compare with. */
  readonly inspection?: InspectionPort;
  /** What the session begins with: the checks on the untouched tree, the files that are there. */
  readonly payload: readonly ContextSegment[];
  /** For a person, before the first step: what was found, what was put right. */
  readonly notes?: readonly string[];
  /** Commits, pushes, opens the pull request, or records the edit. Repeating it finds its own result. */
  deliver(request: DeliveryRequest): Promise<Delivered>;
  /** After the task was released: what is no longer needed is removed; the branch stays. */
  close(options?: CloseOptions): Promise<void>;
}

export interface CloseOptions {
  /** The task is done or cancelled, so that no later run will want its folder. */
  readonly ended?: boolean;
  /** It ended without being done: what a person may want to put back is kept. */
  readonly cancelled?: boolean;
}

export interface DeliveryRequest {
  readonly title: string;
  readonly goal: string;
  /** What was verified, in words for a commit and a pull request. */
  readonly evidence: string;
  /** The identity of the files that were verified: they are delivered, whatever is there by now. */
  readonly tree?: string | undefined;
  /** Tokens and money, in words; empty when nothing is known. */
  readonly cost: string;
}

export interface Delivered {
  readonly artifacts: readonly Artifact[];
  /** Somebody must look at it before it counts as done. */
  readonly review: boolean;
  /** For people: where the result is. */
  readonly summary: string;
  readonly data?: JsonObject;
}

export type Prepare = (claim: Claim, cancel: AbortSignal) => Promise<PreparedTree>;

/** What preparing a task needs to know of the project. */
export interface PrepareOptions {
  readonly config: Config;
  readonly repository: Omit<RuntimeSettings['repository'], 'mode'>;
  /** What is run once on the untouched files of a task, in a folder; nothing when left out. */
  readonly checks?: (claim: Claim, folder: string) => readonly BaselineCheck[];
  /** How long each of them may take; the configuration's own limit when left out. */
  readonly checkTimeoutMs?: number;
  /** What a step of the task really changed, as it becomes known. */
  readonly onChanged?: (claim: Claim, paths: readonly string[]) => Promise<void>;
  /** Told before each part of a delivery that is seen outside; a kill between any two leaves nothing broken. */
  readonly onStep?: (step: 'committing' | 'pushing' | 'opening' | 'opened') => void;
  /** How long to wait before git or GitHub is asked again, each time; for tests. */
  readonly retryMs?: readonly number[];
}
