import { errorMessage } from '../../kernel/errors.ts';
import type { BlockId, ResolvedBlock, ResolvedManifest } from '../../manifest/resolved.ts';
import { type ContextSegment, contentText } from '../../manifest/segment.ts';
import { type Doubt, LIMIT_REACHED, SUCCESS, type WorkerRun } from '../../manifest/worker.ts';
import { failureSignature } from '../../verification/failure-signature.ts';
import { hardChanges, latestSuspicious, suspiciousLine } from '../../verification/suspicious/segment.ts';
import type { JournalRecord, StatusChange } from '../state/record.ts';
import type { SessionState } from '../state/session-state.ts';
import {
  endOfRun,
  endWithoutChange,
  failed,
  type Move,
  moveOn,
  moveOnError,
  moveOnLimit,
  stay,
  stepRecord,
} from './advance.ts';
import { statusRecord, stopRecord } from './before-block.ts';
import { doubtOf } from './gates.ts';
import { failsAgain, sameFailureLimit } from './limits.ts';
import type { Outcome } from './outcome.ts';
import { byEngine } from './stamp-origins.ts';
import { UnhandledSignalError } from './transition.ts';
import { isIdentity } from './tree-port.ts';

export interface Settled {
  readonly record: JournalRecord;
  /** Set when the session failed: the error as it was thrown. */
  readonly error?: Error;
  /** The identity of the files, where it was asked for. */
  readonly tree?: string;
}

/** What settling a step asks about the files and the time. */
export interface StepIo {
  readonly tree: () => Promise<string>;
  /** What is different from how the session found the files; undefined: nobody knows. */
  readonly changes: () => Promise<readonly string[] | undefined>;
  readonly now: () => number;
}

/** Turns an outcome into the one record that says what became of the step. */
export async function settleStep(
  manifest: ResolvedManifest,
  state: SessionState,
  block: ResolvedBlock,
  outcome: Outcome,
  io: StepIo & { run: WorkerRun; noted: number },
): Promise<Settled> {
  if (outcome.kind === 'suspended') return { record: statusRecord(suspension(block, outcome), io.now()) };
  if (outcome.kind === 'stopped' && outcome.cause.kind !== 'limit') {
    return { record: stopRecord(state, block, outcome.cause, io.now()) };
  }
  const { move: decided, error } = decide(block, state, outcome, manifest.blocks);
  const added = [
    ...('added' in outcome ? outcome.added : []),
    ...notes(outcome, io.run).map(byEngine(block)),
  ];
  const dropped = outcome.kind === 'answered' ? outcome.dropped : [];
  const failure = sameFailureLimit(block) === undefined ? undefined : signatureOf(decided.signal, added);
  const move = goesOnFailing(block, state, decided, failure) ? stay(block, state, decided.signal) : decided;
  const isGate = manifest.gates.includes(block.id);
  const ends = move.next === null;
  const tree = manifest.gates.length > 0 && (isGate || ends) ? await io.tree() : '';
  const said = outcome.kind === 'answered' ? outcome.doubt : undefined;
  const now = { signal: move.signal, tree };
  const doubt = isGate ? doubtOf(state.gates[block.id], now, said) : (said ?? undefined);
  const gate = { ...now, ...(doubt ? { doubt } : {}) };
  const gates = isGate ? { ...state.gates, [block.id]: gate } : state.gates;
  const status =
    haltOnDoubt(block, move, isGate, doubt) ??
    (ends
      ? await endedAs(manifest, state, endOfRun(manifest, gates, tree), { block: block.id, io })
      : told(move.status, added));
  const record = stepRecord(block, state, status ? { ...move, status } : move, {
    ran: true,
    ms: outcome.ms,
    counted: Math.min(io.noted, outcome.ms),
    at: io.now(),
    added,
    dropped,
    ...(failure === undefined ? {} : { failure }),
    ...(isGate ? { tree, ...(doubt ? { doubt } : {}) } : {}),
  });
  return { record, ...(error ? { error } : {}), ...(isIdentity(tree) ? { tree } : {}) };
}

/** Whoever is asked for sees at once what for. */
function told(status: StatusChange | undefined, added: readonly ContextSegment[]): StatusChange | undefined {
  if (status?.to !== 'halted' || status.halt.reason !== 'suspicious') return status;
  const found = latestSuspicious(added);
  const lines = found ? hardChanges(found).map(suspiciousLine) : [];
  if (lines.length === 0) return status;
  const message = `the checks pass, but the work made them worth less:\n${lines.map((line) => `- ${line}`).join('\n')}`;
  return { to: 'halted', halt: { ...status.halt, message } };
}

/** It would go on as before, but has failed as often in the same way as its limit allows. */
function goesOnFailing(
  block: ResolvedBlock,
  state: SessionState,
  { signal, next, status }: Move,
  failure: string | undefined,
): boolean {
  const goesOn = next !== null && status === undefined && signal !== LIMIT_REACHED;
  return goesOn && signal !== SUCCESS && failure !== undefined && failsAgain(block, state, failure);
}

/** A run that changed nothing is not like one that did. A task of the backlog decides that by itself, in its flow. */
async function endedAs(
  manifest: ResolvedManifest,
  state: SessionState,
  end: StatusChange,
  { block, io }: { readonly block: BlockId; readonly io: StepIo },
): Promise<StatusChange> {
  if (end.to !== 'completed' || state.task !== null) return end;
  const changes = await io.changes();
  if (changes === undefined || changes.length > 0) return end;
  const first = state.trail.toArray().find(({ ran }) => ran)?.block;
  return endWithoutChange(manifest, first ?? block);
}

/**
 * Nobody is asked to repair what is not broken: a flake, and a gate whose command could not have failed, stop for a
 * person at once.
 */
function haltOnDoubt(
  block: ResolvedBlock,
  { next, signal }: Move,
  isGate: boolean,
  doubt: Doubt | undefined,
): StatusChange | undefined {
  if (!doubt || (doubt.kind === 'unproven' && (!isGate || signal !== SUCCESS))) return undefined;
  const message = signal === SUCCESS ? `${block.id} passed, but ${doubt.why}` : `${block.id}: ${doubt.why}`;
  const resumeAt = next;
  return { to: 'halted', halt: { reason: doubt.kind, message, block: block.id, resumeAt } };
}

type Decided = { readonly move: Move; readonly error?: Error };
type Finished = Exclude<Outcome, { kind: 'suspended' }>;

function decide(
  block: ResolvedBlock,
  state: SessionState,
  outcome: Finished,
  blocks: ResolvedManifest['blocks'],
): Decided {
  if (outcome.kind === 'stopped') {
    const message = 'message' in outcome.cause ? outcome.cause.message : '';
    return { move: moveOnLimit(block, state, message, { blocks }) };
  }
  if (outcome.kind === 'threw') {
    const move = moveOnError(block, state, outcome.error, blocks);
    const error = outcome.error instanceof Error ? outcome.error : new Error(errorMessage(outcome.error));
    return move.status?.to === 'failed' ? { move, error } : { move };
  }
  try {
    return { move: moveOn(block, state, outcome.signal, blocks) };
  } catch (error) {
    if (!(error instanceof UnhandledSignalError)) throw error;
    return { move: failed(block, state, outcome.signal, error), error };
  }
}

/** What went wrong belongs in the history, so that the next block can do something about it. */
function notes(outcome: Finished, run: WorkerRun): ContextSegment[] {
  if (outcome.kind === 'threw') return [run.segment('ERROR', errorMessage(outcome.error))];
  if (outcome.kind === 'stopped' && 'message' in outcome.cause) {
    return [run.segment('ERROR', outcome.cause.message)];
  }
  return [];
}

function suspension(block: ResolvedBlock, outcome: Extract<Outcome, { kind: 'suspended' }>): StatusChange {
  const { reason } = outcome;
  if (reason.kind === 'park') {
    const { kind: _parked, ...until } = reason;
    return { to: 'parked', ...until };
  }
  const { question } = reason;
  const halt = {
    reason: 'question',
    message: question.question,
    block: block.id,
    resumeAt: block.id,
    question,
  } as const;
  return { to: 'halted', halt };
}

function signatureOf(signal: string, added: readonly ContextSegment[]): string {
  return failureSignature(signal, added.map(contentText));
}
