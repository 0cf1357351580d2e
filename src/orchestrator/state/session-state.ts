import { AppendList } from '../../kernel/append-list.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { WaitCause } from '../../kernel/wait-cause.ts';
import type { Budget } from '../../manifest/definition.ts';
import type { ProgressNote } from '../../manifest/progress-note.ts';
import type { Address, BlockId } from '../../manifest/resolved.ts';
import type { TaskExit, TaskStatus } from '../../manifest/task.ts';
import type { Doubt } from '../../manifest/worker.ts';
import type { Conversations } from './conversations.ts';
import type { Delivery } from './delivery.ts';
import { History } from './history.ts';
import { taskInInputs } from './old-records.ts';
import type {
  CreatedRecord,
  Failure,
  ForkedFrom,
  Halt,
  RaiseDay,
  SessionOutcome,
  SessionPaths,
  StepRecord,
  TaskLink,
  WorkflowSource,
} from './record.ts';
import type { SessionStatus } from './status.ts';

/** What a gate last said, on which files, and why its success is no evidence. */
export interface GateState {
  readonly signal: string;
  readonly tree: string;
  readonly doubt?: Doubt;
}

/** The whole run-time state. Workers hold none of it; every change is a journal record. */
export interface SessionState {
  readonly id: string;
  readonly goal: string;
  readonly inputs: JsonObject;
  /** What `{{config.x}}` means; null in journals that do not say. */
  readonly config: JsonObject | null;
  /** The task of the backlog that it is a run of. */
  readonly task: TaskLink | null;
  readonly worktree: string | undefined;
  readonly workflow: string | undefined;
  /** Which wall stood around its children when it began, or why none did. */
  readonly sandbox: string | undefined;
  readonly digest: string;
  readonly source: WorkflowSource | null;
  readonly forkedFrom: ForkedFrom | null;
  /** What may become of conversations that it did not have for itself. */
  readonly conversations: Conversations;
  /** Which manifests it ran on before, oldest first. */
  readonly manifests: readonly ManifestChange[];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly status: SessionStatus;
  /** Since when it has this status. */
  readonly since: number;
  /** The block to run next; null when the run has ended. */
  readonly at: BlockId | null;
  readonly stack: readonly Address[];
  /** Counters per call frame; always one longer than the stack. */
  readonly frames: readonly Frame[];
  /** Where the last step began, so that it can be run again although its action was performed. */
  readonly previous: {
    readonly stack: readonly Address[];
    readonly frames: readonly Frame[];
    readonly notes: AppendList<ProgressNote>;
  };
  readonly history: History;
  readonly trail: AppendList<TrailEntry>;
  /** What people typed: prompts, guidance, answers. */
  readonly said: AppendList<Said>;
  /** Blocks executed so far. */
  readonly step: number;
  readonly used: Used;
  readonly budget: Budget;
  readonly gates: { readonly [block: BlockId]: GateState };
  /** The newest checkpoint of the files; null where files are not kept. */
  readonly files: string | null;
  /** What a person did with its files; null while nobody has decided. */
  readonly delivery: Delivery | null;
  /** It was forked, and nobody has set it going yet. */
  readonly notStarted: boolean;
  readonly halt: Halt | null;
  readonly parkedUntil: number | null;
  /** The agent that cannot work before then. */
  readonly parkedFor: string | null;
  readonly parkedCause: WaitCause | null;
  /** What this day would have to be allowed more, where it is parked for the next one. */
  readonly raise: RaiseDay | null;
  /** The sessions whose files it waits for. */
  readonly waitsFor: readonly string[];
  /** What it may and must not change. */
  readonly paths: SessionPaths;
  /** Files that were changed and may not be, as they were found. */
  readonly strayed: readonly string[];
  /** What it came to, where that is not the plain end of a run. */
  readonly outcome: SessionOutcome | null;
  /** Why it is parked, held or aborted. */
  readonly statusReason: string | null;
  readonly error: Failure | null;
  readonly stepping: boolean;
  /** In stepping mode: the block a person has let through. */
  readonly released: boolean;
  /** What a person answered to the questions of the step that is to run. */
  readonly answers: readonly string[];
  /** The blocks that may run once more although their limit is reached. */
  readonly granted: readonly BlockId[];
  /** What a person answered to questions that the step that is to run had halted on. */
  readonly answered: readonly { readonly question: string; readonly answer: string }[];
  /** Notes of the step that is running or was interrupted. */
  readonly notes: AppendList<ProgressNote>;
  readonly tasks: { readonly [taskId: string]: TaskStatus };
  /** How the processes of the tasks ended. */
  readonly exits: { readonly [taskId: string]: TaskExit };
}

export interface Frame {
  readonly [block: BlockId]: {
    readonly visits: number;
    readonly ms: number;
    readonly failure: string | null;
    readonly sameFailures: number;
  };
}

export interface Used {
  readonly steps: number;
  readonly tokens: number;
  readonly usd: number;
  readonly ms: number;
}

/** Where a session went on with a corrected manifest. */
export interface ManifestChange {
  readonly digest: string;
  readonly before: string;
  /** The last step that ran on the one before. */
  readonly step: number;
  readonly at: number;
}

/** One line of the audit trail. */
export interface TrailEntry {
  readonly step: number;
  readonly block: BlockId;
  readonly ran: boolean;
  readonly signal: string;
  readonly matched: StepRecord['matched'];
  readonly action: string | null;
  readonly next: BlockId | null;
  readonly ms: number;
  readonly at: number;
}

export interface Said {
  readonly at: number;
  readonly kind: 'goal' | 'guidance' | 'answer' | 'prompt' | 'input';
  readonly block: BlockId | null;
  /** The task it was said to. */
  readonly task?: string;
  readonly text: string;
}

const NO_PATHS: SessionPaths = { allow: [], deny: [] };

export function initialState(created: CreatedRecord): SessionState {
  return {
    id: created.id,
    goal: created.goal,
    inputs: created.inputs,
    config: created.config ?? null,
    task: created.task ?? taskInInputs(created.inputs),
    worktree: created.worktree,
    workflow: created.workflow,
    sandbox: created.sandbox,
    digest: created.digest,
    source: created.source ?? null,
    forkedFrom: created.forkedFrom ?? null,
    conversations: created.conversations ?? {},
    manifests: [],
    createdAt: created.at,
    updatedAt: created.at,
    status: 'running',
    since: created.at,
    at: created.start,
    stack: [],
    frames: [{}],
    previous: { stack: [], frames: [{}], notes: AppendList.of() },
    history: History.of(created.payload),
    trail: AppendList.of(),
    said: AppendList.of([{ at: created.at, kind: 'goal', block: null, text: created.goal }]),
    step: 0,
    used: { steps: 0, tokens: 0, usd: 0, ms: 0 },
    budget: created.budget,
    gates: {},
    files: created.files ?? null,
    delivery: null,
    notStarted: false,
    halt: null,
    parkedUntil: null,
    parkedFor: null,
    parkedCause: null,
    raise: null,
    waitsFor: [],
    paths: created.paths ?? NO_PATHS,
    strayed: [],
    outcome: null,
    statusReason: null,
    error: null,
    stepping: created.stepping,
    released: false,
    answers: [],
    granted: [],
    answered: [],
    notes: AppendList.of(),
    tasks: {},
    exits: {},
  };
}
