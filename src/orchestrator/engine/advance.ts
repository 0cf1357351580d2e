import { errorMessage } from '../../kernel/errors.ts';
import {
  type Address,
  type BlockId,
  endOf,
  type ResolvedBlock,
  type ResolvedManifest,
} from '../../manifest/resolved.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import {
  type Doubt,
  FAIL_DEFAULT,
  FAILURE,
  LIMIT_REACHED,
  SUCCESS,
  SUSPICIOUS,
} from '../../manifest/worker.ts';
import type { Halt, StatusChange, StepRecord } from '../state/record.ts';
import type { SessionState } from '../state/session-state.ts';
import { executeAction, type Returned } from './actions.ts';
import { closedGates } from './gates.ts';
import {
  chooseReturn,
  chooseTransition,
  handles,
  UnhandledSignalError,
  UnknownWorkerError,
} from './transition.ts';

type Blocks = ResolvedManifest['blocks'];

/** Where a step leads: decided without I/O, clock or randomness, and complete enough to be a journal record. */
export interface Move {
  readonly signal: string;
  readonly matched: StepRecord['matched'];
  readonly action: string | null;
  readonly next: BlockId | null;
  readonly stack: readonly Address[];
  readonly status?: StatusChange;
}

/** The block emitted a signal: look it up, perform the action. */
export function moveOn(block: ResolvedBlock, state: SessionState, signal: string, blocks: Blocks): Move {
  const choice = chooseTransition(block, signal);
  if (choice.matched === 'none') return { signal, ...choice, action: null, next: null, stack: state.stack };
  const { action } = choice.transition;
  const onReturn = (from: BlockId, told: string) => chooseReturn(blocks[from], told);
  const result = executeAction({ action, returnStack: state.stack, signal, onReturn });
  const { returned } = result;
  const text = returned ? `${action.text}, then ${returned.action} of ${returned.to}` : action.text;
  const move = { signal, matched: choice.matched, action: text, stack: result.returnStack };
  if (!result.halted) return { ...move, next: result.nextBlockId };
  if (returned) return haltedOnReturn(block, state, move, returned);
  const halt = flagged(block, signal);
  const retry = signal === SUSPICIOUS ? afterFailure(block, state, blocks) : undefined;
  return { ...move, next: block.id, status: { to: 'halted', halt: retry ? { ...halt, retry } : halt } };
}

/** Whoever mends what the block finds; a hint of a person goes there. */
function afterFailure(block: ResolvedBlock, state: SessionState, blocks: Blocks): Halt['retry'] {
  if (!handles(block, FAILURE)) return undefined;
  const { next, stack, status } = moveOn(block, state, FAILURE, blocks);
  if (next === null || next === block.id || status) return undefined;
  return { at: next, ...(stack === state.stack ? {} : { stack }) };
}

/** What a person is asked for; whoever weakened a check is not passed by going on. */
function flagged({ id: block, next }: ResolvedBlock, signal: string): Halt {
  const message = `${block} asked for a person on ${signal}`;
  if (signal === SUSPICIOUS) return { reason: 'suspicious', message, block, resumeAt: block };
  return { reason: 'flag', message, block, resumeAt: next };
}

/** The caller asks for a person: the return is not performed before the session is resumed. */
function haltedOnReturn(
  block: ResolvedBlock,
  { stack }: SessionState,
  move: Omit<Move, 'next'>,
  { to, signal }: Returned,
): Move {
  const halt = {
    reason: 'flag',
    message: `${to} asked for a person on ${signal}, which ${block.id} returned`,
    block: block.id,
    resumeAt: endOf(block.node),
  } as const;
  return { ...move, stack, next: block.id, status: { to: 'halted', halt } };
}

/** The worker threw, or its signal has no transition: the block's fallback if it declares one, else the end. */
export function moveOnError(block: ResolvedBlock, state: SessionState, error: unknown, blocks: Blocks): Move {
  if (handles(block, FAIL_DEFAULT)) return moveOn(block, state, FAIL_DEFAULT, blocks);
  return failed(block, state, FAIL_DEFAULT, error);
}

export function failed(block: ResolvedBlock, state: SessionState, signal: string, error: unknown): Move {
  const failure = {
    message: errorMessage(error),
    block: block.id,
    ...(error instanceof Error && error.stack ? { detail: error.stack } : {}),
    ...(isOfManifest(error) ? { in: 'manifest' as const } : {}),
  };
  const status: StatusChange = { to: 'failed', error: failure };
  return { signal, matched: 'none', action: null, next: block.id, stack: state.stack, status };
}

/** What went wrong is corrected in the workflow, not in the files. */
function isOfManifest(error: unknown): boolean {
  return error instanceof UnhandledSignalError || error instanceof UnknownWorkerError;
}

/** A limit stopped the block: its own transition for that, else a halt. Where that transition ends the run, too. */
export function moveOnLimit(
  block: ResolvedBlock,
  state: SessionState,
  message: string,
  { blocks, retry }: { readonly blocks: Blocks; readonly retry?: Halt['retry'] },
): Move {
  const halt: Halt = {
    reason: 'limit',
    message,
    block: block.id,
    resumeAt: block.id,
    ...(retry ? { retry } : {}),
  };
  if (handles(block, LIMIT_REACHED)) {
    const move = moveOn(block, state, LIMIT_REACHED, blocks);
    if (move.next === null) return { ...move, next: block.id, status: { to: 'halted', halt } };
    return move.status?.to === 'halted' ? { ...move, status: flaggedAtLimit(move.status.halt, halt) } : move;
  }
  return {
    signal: LIMIT_REACHED,
    matched: 'none',
    action: null,
    next: block.id,
    stack: state.stack,
    status: { to: 'halted', halt },
  };
}

/** The manifest asks for a person at the limit: it says what was reached, and where a retry begins. */
function flaggedAtLimit(flag: Halt, { message, retry }: Halt): StatusChange {
  return { to: 'halted', halt: { ...flag, message, ...(retry ? { retry } : {}) } };
}

/** It failed once too often in the same way: it stays where it is, for its limit to decide. */
export function stay(block: ResolvedBlock, state: SessionState, signal: string): Move {
  return { signal, matched: 'none', action: null, next: block.id, stack: state.stack };
}

/**
 * Where a retry begins after the limit of a block that cannot act on anything itself: its last failure leads to the
 * one that can. Undefined: with the block.
 */
export function retryAfterLimit(block: ResolvedBlock, state: SessionState, blocks: Blocks): Halt['retry'] {
  const last = state.trail.findLast((entry) => entry.ran && entry.block === block.id);
  if (!last || last.signal === SUCCESS || block.transitions.length === 0) return undefined;
  if (!handles(block, last.signal) && !handles(block, FAIL_DEFAULT)) return undefined;
  const { next, stack, status } = moveOn(block, state, last.signal, blocks);
  if (next === null || next === block.id || status) return undefined;
  return { at: next, ...(stack === state.stack ? {} : { stack }) };
}

/** The run has no next block: completed, unless a gate is closed. */
export function endOfRun(
  manifest: ResolvedManifest,
  gates: SessionState['gates'],
  tree: string,
): StatusChange {
  const closed = closedGates(manifest, gates, tree);
  const [first] = closed;
  if (!first) return { to: 'completed' };
  const message = `the run reached its end, but ${closed.map((gate) => gate.why).join('; ')}`;
  return { to: 'halted', halt: { reason: 'gate', message, block: first.block, resumeAt: null } };
}

/**
 * The run reached its end and every file is as the session found it. Open gates then say that the checks pass on the
 * untouched files and nothing about the goal, so a person looks; a workflow without gates promised no change.
 */
export function endWithoutChange(manifest: ResolvedManifest, begin: BlockId): StatusChange {
  if (manifest.gates.length === 0) return { to: 'completed', outcome: 'no_change' };
  const message = `nothing was changed. ${manifest.gates.join(', ')} ${manifest.gates.length === 1 ? 'passes' : 'pass'} on the untouched files: the goal may be reached already, or nobody did anything`;
  return { to: 'halted', halt: { reason: 'no_change', message, block: begin, resumeAt: null } };
}

export function stepRecord(
  block: ResolvedBlock,
  state: SessionState,
  move: Move,
  facts: {
    ran: boolean;
    ms: number;
    /** How much of it is in the journal already. */
    counted?: number;
    at: number;
    added: readonly ContextSegment[];
    dropped?: readonly string[];
    failure?: string;
    tree?: string;
    doubt?: Doubt;
  },
): StepRecord {
  const { ran, ms, counted = 0, at, added, dropped = [], failure, tree, doubt } = facts;
  return {
    t: 'step',
    step: ran ? state.step + 1 : state.step,
    block: block.id,
    ran,
    signal: move.signal,
    matched: move.matched,
    action: move.action,
    next: move.next,
    ...(move.stack === state.stack ? {} : { stack: stackChange(state.stack, move.stack) }),
    added,
    ...(dropped.length === 0 ? {} : { dropped }),
    ...(block.limits ? { counted: move.signal === SUCCESS || failure === undefined ? {} : { failure } } : {}),
    ...(tree === undefined ? {} : { tree }),
    ...(doubt === undefined ? {} : { doubt }),
    ms,
    ...(counted === 0 ? {} : { counted_ms: counted }),
    at,
    ...(move.status ? { status: move.status } : {}),
  };
}

function stackChange(
  before: readonly Address[],
  after: readonly Address[],
): NonNullable<StepRecord['stack']> {
  let keep = 0;
  while (keep < before.length && keep < after.length && before[keep] === after[keep]) keep++;
  return { keep, push: after.slice(keep) };
}
