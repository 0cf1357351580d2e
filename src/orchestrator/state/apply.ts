import { AppendList } from '../../kernel/append-list.ts';
import { CorruptSessionError } from '../../kernel/errors.ts';
import type { ProgressNote } from '../../manifest/progress-note.ts';
import { type ContextSegment, contentText } from '../../manifest/segment.ts';
import { SUCCESS } from '../../manifest/worker.ts';
import { applyProgress } from './apply-progress.ts';
import { agentParkedUntil, causeOfPark, sessionsNamedIn } from './old-records.ts';
import type {
  ContinuedRecord,
  JournalRecord,
  ManifestRecord,
  RewoundRecord,
  StatusChange,
  StepRecord,
  UsageRecord,
} from './record.ts';
import {
  type Frame,
  type GateState,
  initialState,
  type Said,
  type SessionState,
  type Used,
} from './session-state.ts';
import { changeStatus } from './status.ts';

/**
 * The fold that makes a session of its journal. The live engine and the loader both go through here, so what
 * is loaded is what was.
 */
export function apply(state: SessionState | undefined, record: JournalRecord): SessionState | undefined {
  if (record.t === 'claimed' || record.t === 'based' || record.t === 'released') return state;
  if (record.t === 'created') return initialState(record);
  if (!state) throw new CorruptSessionError(`The journal has a "${record.t}" record before "created".`);
  switch (record.t) {
    case 'step':
      return applyStep(state, record);
    case 'progress':
      return applyProgress(state, record);
    case 'usage':
      return { ...state, used: addUsage(state.used, record), frames: withTime(state.frames, record) };
    case 'status':
      return withStatus(withWords(state, record.added ?? [], record.at), record.change);
    case 'moved':
      return { ...state, worktree: record.worktree };
    case 'manifest':
      return applyManifest(state, record);
    case 'forked':
      return { ...state, notStarted: true };
    case 'delivery':
      return { ...state, delivery: record.delivery };
    case 'rewound':
      return applyRewound(state, record);
    case 'continued':
      return applyContinued(state, record);
    default:
      throw new CorruptSessionError(`The journal has an unknown record "${(record as { t: string }).t}".`);
  }
}

function applyRewound(state: SessionState, { halt, used, conversations, at }: RewoundRecord): SessionState {
  const back: SessionState = {
    ...state,
    status: 'running',
    since: at,
    updatedAt: at,
    used: used ?? state.used,
    conversations: { ...state.conversations, ...conversations },
  };
  return withStatus(back, { to: 'halted', halt });
}

function applyManifest(state: SessionState, record: ManifestRecord): SessionState {
  const { digest, before, budget, at } = record;
  const change = { digest, before, step: state.step, at };
  return { ...state, digest, budget, manifests: [...state.manifests, change], updatedAt: at };
}

function applyStep(state: SessionState, record: StepRecord): SessionState {
  const { step, block, ran, signal, matched, action, next, ms, at } = record;
  const entry = { step, block, ran, signal, matched, action, next, ms, at };
  const history = record.dropped ? state.history.drop(record.dropped) : state.history;
  const stack = record.stack
    ? [...state.stack.slice(0, record.stack.keep), ...record.stack.push]
    : state.stack;
  // Every field by name: spreading thirty of them doubles the cost of a step and of loading one.
  const after: SessionState = {
    id: state.id,
    goal: state.goal,
    inputs: state.inputs,
    config: state.config,
    task: state.task,
    worktree: state.worktree,
    workflow: state.workflow,
    sandbox: state.sandbox,
    digest: state.digest,
    source: state.source,
    forkedFrom: state.forkedFrom,
    conversations: state.conversations,
    manifests: state.manifests,
    createdAt: state.createdAt,
    status: state.status,
    since: state.since,
    said: state.said,
    budget: state.budget,
    halt: state.halt,
    parkedUntil: state.parkedUntil,
    parkedFor: state.parkedFor,
    parkedCause: state.parkedCause,
    raise: state.raise,
    waitsFor: state.waitsFor,
    paths: state.paths,
    strayed: record.strayed ? [...new Set([...state.strayed, ...record.strayed])] : state.strayed,
    outcome: state.outcome,
    statusReason: state.statusReason,
    error: state.error,
    stepping: state.stepping,
    tasks: state.tasks,
    exits: state.exits,
    updatedAt: at,
    at: next,
    stack,
    frames: framesAfter(state, record, stack.length + 1),
    previous: ran ? { stack: state.stack, frames: state.frames, notes: state.notes } : state.previous,
    history: history.append(record.added, block),
    trail: state.trail.append([entry]),
    step: ran ? step : state.step,
    used: ran
      ? { ...state.used, steps: state.used.steps + 1, ms: state.used.ms + ms - (record.counted_ms ?? 0) }
      : state.used,
    files: record.files ?? state.files,
    delivery: state.delivery,
    notStarted: false,
    gates: record.tree === undefined ? state.gates : { ...state.gates, [block]: gateOf(record, record.tree) },
    released: false,
    answers: state.answers.length === 0 ? state.answers : [],
    answered: state.answered.length === 0 ? state.answered : [],
    granted: state.granted.includes(block) ? state.granted.filter((each) => each !== block) : state.granted,
    notes: state.notes.length === 0 ? state.notes : AppendList.of(),
  };
  return record.status ? withStatus(after, record.status) : after;
}

function gateOf({ signal, doubt }: StepRecord, tree: string): GateState {
  return { signal, tree, ...(doubt ? { doubt } : {}) };
}

const UNCOUNTED = { visits: 0, ms: 0, failure: null, sameFailures: 0 };

/** Time that a block used without finishing counts against its limit too. */
function withTime(frames: readonly Frame[], { block, ms }: UsageRecord): readonly Frame[] {
  if (block === undefined || ms === undefined) return frames;
  const frame = frames.at(-1) ?? {};
  const old = frame[block] ?? UNCOUNTED;
  return [...frames.slice(0, -1), { ...frame, [block]: { ...old, ms: old.ms + ms } }];
}

function framesAfter(state: SessionState, record: StepRecord, depth: number): readonly Frame[] {
  let frames = state.frames;
  if (record.counted && record.ran) {
    const frame = frames.at(-1) ?? {};
    const old = frame[record.block] ?? UNCOUNTED;
    const failure = record.counted.failure ?? null;
    const sameFailures =
      record.signal === SUCCESS || failure === null ? 0 : failure === old.failure ? old.sameFailures + 1 : 1;
    const ms = old.ms + record.ms - (record.counted_ms ?? 0);
    const counters = { visits: old.visits + 1, ms, failure, sameFailures };
    frames = [...frames.slice(0, -1), { ...frame, [record.block]: counters }];
  }
  if (depth < frames.length) return frames.slice(0, depth);
  if (depth > frames.length) return [...frames, ...Array.from({ length: depth - frames.length }, () => ({}))];
  return frames;
}

function applyContinued(state: SessionState, record: ContinuedRecord): SessionState {
  const { stack, frames } = record.undo
    ? state.previous
    : { stack: record.stack ?? state.stack, frames: state.frames };
  const spoken = withWords(state, record.added, record.at);
  const block = state.halt?.block ?? state.at;
  const answered: Said[] =
    record.answer === undefined ? [] : [{ at: record.at, kind: 'answer', block, text: record.answer }];
  const after: SessionState = {
    ...withStatus(spoken, { to: 'running' }),
    updatedAt: record.at,
    at: record.next,
    // It goes on: what was decided about its files was not about what comes.
    delivery: null,
    notStarted: false,
    stack,
    frames: framesOfDepth(frames, stack.length + 1),
    said: spoken.said.append(answered),
    config: record.config ?? state.config,
    budget: record.budget ?? state.budget,
    paths: record.allow
      ? { ...state.paths, opened: [...(state.paths.opened ?? []), ...record.allow] }
      : state.paths,
    stepping: record.stepping ?? state.stepping,
    released: true,
    answers: record.answer === undefined ? state.answers : [...state.answers, record.answer],
    answered: withAnswer(state, record.answer),
    granted: typeof record.granted === 'string' ? [record.granted] : (record.granted ?? []),
    notes: runsAgain(state, record) ? state.previous.notes.append([RETRIED]) : state.notes,
  };
  return after;
}

function withAnswer({ halt, answered }: SessionState, answer: string | undefined): SessionState['answered'] {
  if (answer === undefined || !halt?.question) return answered;
  return [...answered, { question: halt.question.question, answer }];
}

/** Among the notes of a step that is run again because somebody asked for it, not because it was interrupted. */
const RETRIED: ProgressNote = { type: 'retried' };

/** The block that ran last is run once more: what it had noted is still true. */
function runsAgain(state: SessionState, { how, next }: ContinuedRecord): boolean {
  return how === 'retry' && state.notes.length === 0 && state.trail.at(-1)?.block === next;
}

/** What a person typed becomes part of the history and of the record of what was said. */
function withWords(state: SessionState, added: readonly ContextSegment[], at: number): SessionState {
  const block = state.halt?.block ?? state.at;
  const said = added.map((segment): Said => ({ at, kind: 'guidance', block, text: contentText(segment) }));
  return {
    ...state,
    updatedAt: at,
    history: state.history.append(added, null),
    said: state.said.append(said),
  };
}

function framesOfDepth(frames: readonly Frame[], depth: number): readonly Frame[] {
  return frames.length > depth ? frames.slice(0, depth) : frames;
}

function withStatus(state: SessionState, change: StatusChange): SessionState {
  return {
    ...state,
    status: changeStatus(state.status, change.to),
    since: change.to === state.status ? state.since : state.updatedAt,
    // A session put aside keeps the reason it had halted for.
    halt: change.to === 'halted' ? change.halt : change.to === 'held' ? state.halt : null,
    parkedUntil: change.to === 'parked' ? change.until : null,
    parkedFor: change.to === 'parked' ? (change.agent ?? agentParkedUntil(state.notes, change.until)) : null,
    parkedCause: change.to === 'parked' ? (change.cause ?? causeOfPark(state.notes, change.until)) : null,
    raise: change.to === 'parked' ? (change.raise ?? null) : null,
    waitsFor: change.to === 'waiting' ? (change.sessions ?? sessionsNamedIn(change.reason)) : [],
    outcome: change.to === 'completed' ? (change.outcome ?? null) : null,
    statusReason: 'reason' in change ? (change.reason ?? null) : null,
    error: change.to === 'failed' ? change.error : null,
  };
}

function addUsage(used: Used, spent: UsageRecord): Used {
  const { tokens = 0, usd = 0, ms = 0 } = spent;
  return { ...used, tokens: used.tokens + tokens, usd: used.usd + usd, ms: used.ms + ms };
}
