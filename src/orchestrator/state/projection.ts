import type { ResolvedManifest } from '../../manifest/resolved.ts';
import type { TaskExit, TaskStatus } from '../../manifest/task.ts';
import type { Owner } from './owner.ts';
import type { Failure, Halt } from './record.ts';
import type { Said, SessionState, Used } from './session-state.ts';
import type { SessionStatus } from './status.ts';

/** What a person or a script wants to know of a session; `session.json` holds it without the history. */
export interface WorkflowSession {
  readonly format: 1;
  readonly id: string;
  readonly goal: string;
  readonly workflow: string | undefined;
  readonly worktree: string | undefined;
  readonly status: SessionStatus;
  readonly currentBlock: string | null;
  /** Position of the current block in its node: the stage, when the manifest is a pipeline. */
  readonly currentStageIndex: number | null;
  readonly tasks: { readonly [taskId: string]: TaskStatus };
  readonly exits: { readonly [taskId: string]: TaskExit };
  readonly step: number;
  readonly used: Used;
  readonly halt: Halt | null;
  readonly parkedUntil: number | null;
  readonly error: Failure | null;
  readonly owner: Owner;
  readonly epoch: number;
  /** Where its owner can be reached while it runs. */
  readonly socket?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface LoadedSession extends WorkflowSession {
  /** What people typed, oldest first. */
  readonly history: readonly Said[];
}

export function project(
  manifest: ResolvedManifest,
  state: SessionState,
  owned: { owner: Owner; epoch: number; socket?: string | undefined },
): WorkflowSession {
  const block = state.at === null ? undefined : manifest.blocks[state.at];
  const order = block && manifest.nodes[block.node]?.order;
  return {
    format: 1,
    id: state.id,
    goal: state.goal,
    workflow: state.workflow,
    worktree: state.worktree,
    status: state.status,
    currentBlock: state.at,
    currentStageIndex: block && order ? order.indexOf(block.id) : null,
    tasks: state.tasks,
    exits: state.exits,
    step: state.step,
    used: state.used,
    halt: state.halt,
    parkedUntil: state.parkedUntil,
    error: state.error,
    owner: owned.owner,
    epoch: owned.epoch,
    ...(owned.socket === undefined ? {} : { socket: owned.socket }),
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
  };
}
