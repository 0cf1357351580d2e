import type { Clock } from '../../kernel/clock.ts';
import { CorruptSessionError, errorMessage, StorageError } from '../../kernel/errors.ts';
import type { Emitter } from '../../kernel/events.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { ResolvedBlock, ResolvedManifest } from '../../manifest/resolved.ts';
import type { Worker } from '../../manifest/worker.ts';
import type { Violation } from '../../verification/report.ts';
import type { EngineEvent } from '../events.ts';
import { recordsDeleted } from '../state/files/session-folder.ts';
import type { JournalRecord, StatusChange, StepRecord } from '../state/record.ts';
import type { Session } from '../state/session.ts';
import type { SessionState } from '../state/session-state.ts';
import { endOfRun } from './advance.ts';
import { announce, stepListener, stepStarted } from './announce.ts';
import { shownNote } from './artifacts.ts';
import { type Assembled, assembleContext, type ContextSources } from './assemble-context.ts';
import { beforeBlock } from './before-block.ts';
import { checkOutput } from './check-output.ts';
import {
  type Emptied,
  type GuardPort,
  haltedByGuard,
  haltedEmptied,
  isTampered,
  putBackAll,
} from './guard-port.ts';
import { InheritedMemory } from './inherited.ts';
import { remainingMs } from './limits.ts';
import type { Outcome, StopCause } from './outcome.ts';
import { haltedByPaths, haltForPaths, type PathRules, stepBy, strayedBy } from './paths.ts';
import { runWorker } from './run-worker.ts';
import { type Settled, type StepIo, settleStep } from './settle-step.ts';
import { StepControl } from './step-control.ts';
import { StepRun, type StepServices } from './step-run.ts';
import { StepTimer } from './step-timer.ts';
import { changesOf, identityOf } from './tree-port.ts';

export interface ExecutorServices extends Omit<ContextSources, 'epoch' | 'memory'>, StepServices {
  readonly workerOf: (block: ResolvedBlock) => Worker;
  /** Whether the worker of a block says that it changes no files. */
  readonly onlyReads: (block: ResolvedBlock) => boolean;
  /** Whether the worker of a block can act on what a person says, rather than only check. */
  readonly acts: (block: ResolvedBlock) => boolean;
  readonly schemas: { readonly [name: string]: JsonObject };
  readonly guard?: GuardPort | undefined;
  readonly paths?: PathRules | undefined;
  readonly clock: Clock;
  readonly events: Emitter<EngineEvent>;
}

/** An agent that calls the same tool this often gets nowhere, unless its block says otherwise. */
const SAME_TOOL = 12;

/**
 * The loop. Invariants:
 * 1. A step is in the journal before the next block is looked at.
 * 2. Control moves only through the transitions of the block that ran.
 * 3. Whatever a worker does, the step ends in an outcome, and every outcome in a journal record.
 * 4. Limits and budgets are checked before a block runs; reaching one never ends as completed.
 */
export class WorkflowExecutor {
  readonly #manifest: ResolvedManifest;
  readonly #session: Session;
  readonly #services: ExecutorServices;
  readonly #sources: ContextSources;
  #control: StepControl | undefined;
  #stop: StopCause | undefined;
  #error: Error | undefined;
  readonly #io: StepIo;

  constructor(session: Session, services: ExecutorServices) {
    this.#manifest = session.manifest;
    this.#session = session;
    this.#services = services;
    const { epoch, manifest } = session;
    this.#sources = { ...services, epoch, memory: new InheritedMemory(manifest), schemas: manifest.schemas };
    this.#io = {
      tree: () => identityOf(services.tree),
      changes: () => changesOf(services.tree),
      now: () => services.clock.now(),
    };
  }

  /** Why the session failed, as it was thrown. */
  get error(): Error | undefined {
    return this.#error;
  }

  async run(): Promise<SessionState> {
    while (this.#session.state.at !== null && this.#session.state.status === 'running') {
      const state = this.#session.state;
      const block = this.#blockAt(state.at ?? '');
      const barred = beforeBlock(this.#manifest, state, block, {
        stop: this.#stop,
        at: this.#services.clock.now(),
        acts: this.#services.acts,
        cap: this.#services.spend?.reached(),
      });
      if (barred) {
        this.#commit(barred);
        continue;
      }
      const assembled = await assembleContext(state, block, this.#sources).catch(asError);
      const { outcome, run, noted } = await this.#runBlock(block, assembled);
      const deleted = this.#services.guard?.missingRecords?.();
      if (deleted !== undefined) throw recordsDeleted(deleted);
      const looked = isFinished(outcome) ? await this.#look(block, state) : NOTHING_SEEN;
      const settled = await settleStep(this.#manifest, state, block, outcome, { ...this.#io, run, noted });
      const guarded = guardedBy(settled, looked);
      this.#commit(await this.#withFiles(block, guarded), guarded.error);
    }
    if (this.#session.state.status === 'running') await this.#finish();
    return this.#session.state;
  }

  /** Ends the running step, or keeps the next one from starting. */
  stop(cause: StopCause): void {
    this.#stop ??= cause;
    this.#control?.stop(cause);
  }

  async #runBlock(block: ResolvedBlock, assembled: Assembled | Error): Promise<Ran> {
    const { clock, events, schemas, workerOf } = this.#services;
    const { state } = this.#session;
    const control = new StepControl();
    const run = new StepRun(this.#session, control, stepListener(events, state, block), {
      ...this.#services,
      sameTool: block.limits?.sameTool ?? SAME_TOOL,
      checked: this.#manifest.gates.length > 0,
    });
    if (assembled instanceof Error)
      return { outcome: { kind: 'threw', error: assembled, added: [], ms: 0 }, run, noted: 0 };
    this.#control = control;
    const time = remainingMs(block, state);
    if (time) control.stopAfter(time.ms, { kind: time.by, message: timeUp(block, state, time.by) });
    const timer = new StepTimer(this.#session, block.id, clock, () => control.waitedMs);
    control.every(NOTE_TIME_EVERY_MS, () => noteTime(timer, control));
    this.#noteFiles(state, assembled);
    if (events.watched) events.emit(stepStarted(state, block, assembled));
    const { history } = state;
    const worker = () => workerOf(block);
    const outcome = await runWorker({ name: block.worker, worker, assembled, run, control, history, clock });
    this.#control = undefined;
    if (control.cause?.kind === 'storage') throw control.cause.error;
    if (!isFinished(outcome)) timer.note();
    const checked = outcome.kind === 'answered' ? checkOutput(block, outcome, schemas, run) : outcome;
    return { outcome: checked, run, noted: timer.notedMs };
  }

  #noteFiles({ step }: SessionState, { context }: Assembled): void {
    const files = context.primary_artifact;
    if (files.length > 0) this.#session.note({ t: 'progress', step: step + 1, note: shownNote(files) });
  }

  /** A person resumed past the last block: the run ends as any run does, gates included. */
  async #finish(): Promise<void> {
    const { gates } = this.#session.state;
    const tree = this.#manifest.gates.length > 0 ? await this.#io.tree() : '';
    const { paths, tree: files } = this.#services;
    const { state } = this.#session;
    // Where the files cannot be looked at, what had strayed is taken to be there still.
    const known = state.strayed.map((path): Violation => ({ path, why: 'outside' }));
    const strayed = paths ? await strayedBy('other', state, paths, files).catch(() => known) : [];
    const end = strayed.length > 0 ? haltForPaths(strayed, null) : endOfRun(this.#manifest, gates, tree);
    // Whoever goes on past the end has seen that nothing was changed.
    const unchanged = end.to === 'completed' && (await this.#io.changes())?.length === 0;
    const change = unchanged ? ({ ...end, outcome: 'no_change' } as const) : end;
    this.#commit({ t: 'status', change, at: this.#io.now() });
  }

  /**
   * Before git looks at the files, which it must not do with what an agent wrote for it; and before they are
   * identified for a gate, because what a check left outside its paths is put back.
   */
  async #look(block: ResolvedBlock, state: SessionState): Promise<Looked> {
    const { paths, tree, guard, workerOf, onlyReads } = this.#services;
    const putBack = guard?.putBack?.() ?? [];
    const tampered = [...putBack, ...((await guard?.changed()) ?? [])];
    if (tampered.length > putBack.length) return { tampered, strayed: [] };
    try {
      const emptied = await putBackAll(guard, tree, state.files);
      if (emptied) return { ...NOTHING_SEEN, emptied };
      if (putBack.length > 0) return { tampered, strayed: [] };
      if (!paths || onlyReads(block)) return NOTHING_SEEN;
      const by = stepBy(block.worker, workerOf(block).kind);
      return { ...NOTHING_SEEN, strayed: await strayedBy(by, state, paths, tree) };
    } catch {
      // Files that cannot be read open no gate and keep no checkpoint, which both say why.
      return NOTHING_SEEN;
    }
  }

  /** Files first, then the journal: a step that counts always finds its checkpoint. */
  async #withFiles(block: ResolvedBlock, { record, tree }: Settled): Promise<JournalRecord> {
    const port = this.#services.tree;
    if (record.t !== 'step' || !port.save) return record;
    if (tree === undefined && goesOn(record) && this.#services.onlyReads(block)) return record;
    try {
      const files = await port.save(record.step, tree === undefined ? {} : { tree });
      return files === undefined ? record : { ...record, files };
    } catch (error) {
      return isTampered(record) ? record : { ...record, status: withoutCheckpoint(record, error) };
    }
  }

  #commit(record: JournalRecord, error?: Error): void {
    const before = this.#session.state;
    const after = this.#session.record(record);
    this.#error = error;
    if (this.#services.events.watched) announce(this.#services.events, before, after, record, error);
  }

  #blockAt(id: string): ResolvedBlock {
    const block = this.#manifest.blocks[id];
    if (!block)
      throw new CorruptSessionError(
        `Session ${this.#session.state.id} stands at ${id}, which its manifest does not have.`,
      );
    return block;
  }
}

/** What a step left that it must not have. */
interface Looked {
  readonly tampered: readonly string[];
  readonly strayed: readonly Violation[];
  readonly emptied?: Emptied;
}

const NOTHING_SEEN: Looked = { tampered: [], strayed: [] };

function guardedBy(settled: Settled, { tampered, strayed, emptied }: Looked): Settled {
  const { record, tree } = settled;
  if (record.t !== 'step') return settled;
  if (tampered.length > 0)
    return { record: haltedByGuard(record, tampered), ...(tree === undefined ? {} : { tree }) };
  if (emptied) return { ...settled, record: haltedEmptied(record, emptied) };
  return strayed.length > 0 ? { ...settled, record: haltedByPaths(record, strayed) } : settled;
}

interface Ran {
  readonly outcome: Outcome;
  readonly run: StepRun;
  /** How much of its time is in the journal already. */
  readonly noted: number;
}

/** Nobody awaits a timer: what cannot be written ends the step. */
function noteTime(timer: StepTimer, control: StepControl): void {
  try {
    timer.note();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    control.stop({ kind: 'storage', error });
  }
}

/** A process that is killed takes at most this much of a step's time with it. */
const NOTE_TIME_EVERY_MS = 30_000;

/** The step ends in a record that counts its time; anything else must be counted on its own. */
function isFinished(outcome: Outcome): boolean {
  return (
    outcome.kind === 'answered' ||
    outcome.kind === 'threw' ||
    (outcome.kind === 'stopped' && outcome.cause.kind === 'limit')
  );
}

/** Straight to the next block. Where a session stops, its files are kept whatever the worker says of itself. */
function goesOn({ next, status }: StepRecord): boolean {
  return next !== null && status === undefined;
}

/** The step is done and counts; only its files could not be kept, which a person must know before the next one. */
function withoutCheckpoint(record: StepRecord, error: unknown): StatusChange {
  const message = `the files after step ${record.step} could not be kept: ${errorMessage(error)}`;
  return { to: 'halted', halt: { reason: 'files', message, block: record.block, resumeAt: record.next } };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(errorMessage(error));
}

function timeUp(block: ResolvedBlock, state: SessionState, by: 'limit' | 'budget'): string {
  if (by === 'budget') return `${state.budget.minutes} minutes`;
  return `${block.id} was stopped after its ${block.limits?.minutes} minutes`;
}
