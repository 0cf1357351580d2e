import { isJsonObject } from '../../kernel/json.ts';
import type { WaitCause } from '../../kernel/wait-cause.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import type { TaskExit, TaskStatus } from '../../manifest/task.ts';
import type { Delivery } from './delivery.ts';
import type { Owner } from './owner.ts';
import { type OpenQuestion, questionsIn } from './questions.ts';
import type { Failure, Halt, SessionOutcome, TaskLink } from './record.ts';
import type { Said, SessionState, Used } from './session-state.ts';
import type { SessionStatus } from './status.ts';

/** What a person or a script wants to know of a session; `session.json` holds it without the history. */
export interface WorkflowSession {
  readonly format: 1;
  readonly id: string;
  readonly goal: string;
  readonly workflow: string | undefined;
  readonly sandbox: string | undefined;
  readonly worktree: string | undefined;
  /** The task of the backlog that it is a run of. */
  readonly task: TaskLink | null;
  readonly status: SessionStatus;
  /** Since when it has this status. */
  readonly since: number;
  readonly currentBlock: string | null;
  /** Position of the current block in its node: the stage, when the manifest is a pipeline. */
  readonly currentStageIndex: number | null;
  readonly tasks: { readonly [taskId: string]: TaskStatus };
  readonly exits: { readonly [taskId: string]: TaskExit };
  /** The block that ran last. */
  readonly lastBlock: string | null;
  /** What its agents wait to be told. */
  readonly questions: readonly OpenQuestion[];
  readonly stepping: boolean;
  /** The newest checkpoint of its files; null where they are not kept. */
  readonly files: string | null;
  /** What a person did with its files; null, or absent in what an earlier version wrote, while nobody has decided. */
  readonly delivery?: Delivery | null;
  /** It was forked, and nobody has set it going yet. */
  readonly notStarted?: true;
  readonly step: number;
  readonly used: Used;
  readonly halt: Halt | null;
  readonly parkedUntil: number | null;
  /** The agent that cannot work before then. */
  readonly parkedFor: string | null;
  /** Absent in files of earlier versions. */
  readonly parkedCause?: WaitCause | null;
  /** The sessions whose files it waits for. */
  readonly waitsFor: readonly string[];
  /** What it came to, where that is not the plain end of a run. Absent in files of earlier versions. */
  readonly outcome?: SessionOutcome | null;
  /** Why it waits, is parked, held or aborted. */
  readonly reason: string | null;
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

/** What `session.json` holds: what a list shows, and which part of the journal it tells of. */
export interface Projection extends WorkflowSession {
  readonly journal: { readonly epoch: number; readonly bytes: number };
  /** Its owner has let go of it. */
  readonly released: boolean;
}

/** Whether a file has all of it: an earlier version wrote less. */
export function isProjection(value: unknown): value is Projection {
  return (
    isJsonObject(value) &&
    value.format === 1 &&
    isJsonObject(value.journal) &&
    typeof value.released === 'boolean' &&
    Array.isArray(value.questions)
  );
}

/** The place of the current block in its node; once all have run, how many there are. */
function stageIndex(manifest: ResolvedManifest, { at, status, trail }: SessionState): number | null {
  const last = status === 'completed' ? trail.at(-1)?.block : undefined;
  const block = manifest.blocks[at ?? last ?? ''];
  const order = block && manifest.nodes[block.node]?.order;
  if (!order) return null;
  return at === null ? order.length : order.indexOf(block.id);
}

export function project(
  manifest: ResolvedManifest,
  state: SessionState,
  owned: { owner: Owner; epoch: number; socket?: string | undefined },
): WorkflowSession {
  return {
    format: 1,
    id: state.id,
    goal: state.goal,
    workflow: state.workflow,
    sandbox: state.sandbox,
    worktree: state.worktree,
    task: state.task,
    status: state.status,
    since: state.since,
    currentBlock: state.at,
    currentStageIndex: stageIndex(manifest, state),
    tasks: state.tasks,
    exits: state.exits,
    lastBlock: state.trail.at(-1)?.block ?? null,
    questions: questionsIn(state),
    stepping: state.stepping,
    files: state.files,
    delivery: state.delivery,
    ...(state.notStarted ? { notStarted: true } : {}),
    step: state.step,
    used: state.used,
    halt: state.halt,
    parkedUntil: state.parkedUntil,
    parkedFor: state.parkedFor,
    parkedCause: state.parkedCause,
    waitsFor: state.waitsFor,
    outcome: state.outcome,
    reason: state.statusReason,
    error: state.error,
    owner: owned.owner,
    epoch: owned.epoch,
    ...(owned.socket === undefined ? {} : { socket: owned.socket }),
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
  };
}
