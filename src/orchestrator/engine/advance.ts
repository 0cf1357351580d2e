import { errorMessage } from '../../kernel/errors.ts';
import type { Address, BlockId, ResolvedBlock, ResolvedManifest } from '../../manifest/resolved.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import { type Doubt, FAIL_DEFAULT, LIMIT_REACHED, SUCCESS } from '../../manifest/worker.ts';
import type { StatusChange, StepRecord } from '../state/record.ts';
import type { SessionState } from '../state/session-state.ts';
import { executeAction } from './actions.ts';
import { closedGates } from './gates.ts';
import { chooseTransition, handles } from './transition.ts';

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
export function moveOn(block: ResolvedBlock, state: SessionState, signal: string): Move {
  const choice = chooseTransition(block, signal);
  if (choice.matched === 'none') return { signal, ...choice, action: null, next: null, stack: state.stack };
  const { action } = choice.transition;
  const result = executeAction({ action, returnStack: state.stack });
  const move = { signal, matched: choice.matched, action: action.text, stack: result.returnStack };
  if (!result.halted) return { ...move, next: result.nextBlockId };
  const halt = {
    reason: 'flag',
    message: `${block.id} asked for a person on ${signal}`,
    block: block.id,
    resumeAt: block.next,
  } as const;
  return { ...move, next: block.id, status: { to: 'halted', halt } };
}

/** The worker threw, or its signal has no transition: the block's fallback if it declares one, else the end. */
export function moveOnError(block: ResolvedBlock, state: SessionState, error: unknown): Move {
  if (handles(block, FAIL_DEFAULT)) return moveOn(block, state, FAIL_DEFAULT);
  return failed(block, state, FAIL_DEFAULT, error);
}

export function failed(block: ResolvedBlock, state: SessionState, signal: string, error: unknown): Move {
  const failure = {
    message: errorMessage(error),
    block: block.id,
    ...(error instanceof Error && error.stack ? { detail: error.stack } : {}),
  };
  const status: StatusChange = { to: 'failed', error: failure };
  return { signal, matched: 'none', action: null, next: block.id, stack: state.stack, status };
}

/** A limit stopped the block: its own transition for that, else a halt. Where that transition ends the run, too. */
export function moveOnLimit(block: ResolvedBlock, state: SessionState, message: string): Move {
  const halt = { reason: 'limit', message, block: block.id, resumeAt: block.id } as const;
  if (handles(block, LIMIT_REACHED)) {
    const move = moveOn(block, state, LIMIT_REACHED);
    return move.next === null ? { ...move, next: block.id, status: { to: 'halted', halt } } : move;
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
