import type { ResolvedBlock, ResolvedManifest } from '../../manifest/resolved.ts';
import type { Question } from '../../manifest/worker.ts';
import type { Halt, JournalRecord, StatusChange } from '../state/record.ts';
import type { SessionState } from '../state/session-state.ts';
import { moveOnLimit, retryAfterLimit, stepRecord } from './advance.ts';
import { guidanceSegments } from './continuation.ts';
import { reachedLimit, repeatedFailure, spentBudget } from './limits.ts';
import type { StopCause } from './outcome.ts';
import type { CapReached } from './spend-port.ts';

interface Circumstances {
  readonly stop: StopCause | undefined;
  readonly at: number;
  readonly acts: (block: ResolvedBlock) => boolean;
  readonly cap: CapReached | undefined;
}

/** Whatever keeps the block from running now, as the record that says so; undefined when it may run. */
export function beforeBlock(
  manifest: ResolvedManifest,
  state: SessionState,
  block: ResolvedBlock,
  { stop, at, acts, cap }: Circumstances,
): JournalRecord | undefined {
  const limit = (message: string) =>
    limitRecord(manifest, state, block, {
      message,
      at,
      retry: acts(block) ? undefined : retryAfterLimit(block, state, manifest.blocks),
    });
  if (stop) return stopRecord(state, block, stop, at);
  const repeated = repeatedFailure(block, state);
  if (repeated !== undefined) return limit(repeated);
  if (state.stepping && !state.released)
    return statusRecord({ to: 'halted', halt: stepHalt(state, block) }, at);
  const spent = spentBudget(state.budget, state.used);
  if (spent !== undefined) return statusRecord(budgetChange(block, spent), at);
  if (cap) return statusRecord(capChange(block, cap), at);
  const reached = reachedLimit(block, state);
  return reached === undefined ? undefined : limit(reached);
}

export function statusRecord(change: StatusChange, at: number): JournalRecord {
  return { t: 'status', change, at };
}

/** The record of a step that was ended from outside, with what the person said who ended it. */
export function stopRecord(
  state: SessionState,
  block: ResolvedBlock,
  cause: StopCause,
  at: number,
): JournalRecord {
  const guidance = cause.kind === 'aborted' ? cause.guidance : undefined;
  const added = guidanceSegments(state, guidance);
  return { t: 'status', change: stopChange(block, cause), at, ...(added.length === 0 ? {} : { added }) };
}

/** What becomes of the session when its step was ended from outside. */
function stopChange(block: ResolvedBlock, cause: StopCause): StatusChange {
  if (cause.kind === 'aborted') return { to: 'aborted', reason: cause.message };
  if (cause.kind === 'budget') return budgetChange(block, cause.message);
  if (cause.kind === 'question') return questionChange(block, cause.question);
  if (cause.kind === 'cap') return capChange(block, cause);
  if (cause.kind === 'unpriced') return unpricedChange(block, cause);
  const message = 'message' in cause ? cause.message : 'another process took the session over';
  return { to: 'halted', halt: { reason: 'interrupted', message, block: block.id, resumeAt: block.id } };
}

function budgetChange(block: ResolvedBlock, spent: string): StatusChange {
  const message = `the budget of ${spent} is spent`;
  return { to: 'halted', halt: { reason: 'budget', message, block: block.id, resumeAt: block.id } };
}

function questionChange({ id }: ResolvedBlock, question: Question): StatusChange {
  const { question: message } = question;
  const halt = { reason: 'question', message, block: id, resumeAt: id, question, unanswered: true } as const;
  return { to: 'halted', halt };
}

/** Until the day turns, or until a person says so. */
function capChange(block: ResolvedBlock, { message, until, raise }: CapReached): StatusChange {
  if (until !== undefined)
    return { to: 'parked', until, reason: message, cause: 'budget', ...(raise ? { raise } : {}) };
  return { to: 'halted', halt: { reason: 'budget', message, block: block.id, resumeAt: block.id } };
}

function unpricedChange(
  block: ResolvedBlock,
  { agent, usd }: Extract<StopCause, { kind: 'unpriced' }>,
): StatusChange {
  const message = `what ${agent} used has no known price, so the budget of ${usd} USD cannot hold`;
  return { to: 'halted', halt: { reason: 'budget', message, block: block.id, resumeAt: block.id } };
}

function stepHalt(state: SessionState, block: ResolvedBlock): Halt {
  const last = state.trail.findLast((entry) => entry.ran);
  return { reason: 'step', message: `next is ${block.id}`, block: last?.block ?? null, resumeAt: block.id };
}

function limitRecord(
  manifest: ResolvedManifest,
  state: SessionState,
  block: ResolvedBlock,
  { message, at, retry }: { message: string; at: number; retry: Halt['retry'] },
): JournalRecord {
  if (limitsOnly(state, Object.keys(manifest.blocks).length)) {
    const halt = { reason: 'limit', message, block: block.id, resumeAt: block.id } as const;
    return statusRecord({ to: 'halted', halt }, at);
  }
  return stepRecord(block, state, moveOnLimit(block, state, message, { blocks: manifest.blocks, retry }), {
    ran: false,
    ms: 0,
    at,
    added: [],
  });
}

/** Limit transitions that lead to each other in a circle would never run a block again. */
function limitsOnly(state: SessionState, blocks: number): boolean {
  for (let back = 1; back <= blocks; back++) {
    const entry = state.trail.at(-back);
    if (!entry || entry.ran) return false;
  }
  return true;
}
