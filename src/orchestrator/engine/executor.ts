import type { Clock } from '../../kernel/clock.ts';
import { CorruptSessionError } from '../../kernel/errors.ts';
import type { EventSource } from '../../kernel/events.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { ResolvedBlock, ResolvedManifest } from '../../manifest/resolved.ts';
import type { Worker } from '../../manifest/worker.ts';
import type { EngineEvent } from '../events.ts';
import type { JournalRecord } from '../state/record.ts';
import type { Session } from '../state/session.ts';
import type { SessionState } from '../state/session-state.ts';
import { endOfRun } from './advance.ts';
import { announce, stepListener, stepStarted } from './announce.ts';
import { type Assembled, assembleContext, type ContextSources } from './assemble-context.ts';
import { beforeBlock } from './before-block.ts';
import { checkOutput } from './check-output.ts';
import { remainingMs } from './limits.ts';
import type { Outcome, StopCause } from './outcome.ts';
import { runWorker } from './run-worker.ts';
import { settleStep } from './settle-step.ts';
import { StepControl } from './step-control.ts';
import { StepRun } from './step-run.ts';
import type { TreePort } from './tree-port.ts';

export interface ExecutorServices extends ContextSources {
  readonly workerOf: (block: ResolvedBlock) => Worker;
  readonly schemas: { readonly [name: string]: JsonObject };
  readonly tree: TreePort;
  readonly clock: Clock;
  readonly events: EventSource<EngineEvent>;
}

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
  #control: StepControl | undefined;
  #stop: StopCause | undefined;
  #error: Error | undefined;
  readonly #io: { tree: () => Promise<string>; now: () => number };

  constructor(session: Session, services: ExecutorServices) {
    this.#manifest = session.manifest;
    this.#session = session;
    this.#services = services;
    this.#io = { tree: () => services.tree.identity(), now: () => services.clock.now() };
  }

  /** Why the session failed, as it was thrown. */
  get error(): Error | undefined {
    return this.#error;
  }

  async run(): Promise<SessionState> {
    while (this.#session.state.at !== null && this.#session.state.status === 'running') {
      const state = this.#session.state;
      const block = this.#blockAt(state.at ?? '');
      const barred = beforeBlock(this.#manifest, state, block, this.#stop, this.#services.clock.now());
      if (barred) {
        this.#commit(barred);
        continue;
      }
      const assembled = await assembleContext(this.#manifest, state, block, this.#services);
      const { outcome, run } = await this.#runBlock(block, assembled);
      const settled = await settleStep(this.#manifest, state, block, outcome, { ...this.#io, run });
      this.#commit(await this.#withFiles(settled.record), settled.error);
    }
    if (this.#session.state.status === 'running') await this.#finish();
    return this.#session.state;
  }

  /** Ends the running step, or keeps the next one from starting. */
  stop(cause: StopCause): void {
    this.#stop ??= cause;
    this.#control?.stop(cause);
  }

  async #runBlock(block: ResolvedBlock, assembled: Assembled): Promise<{ outcome: Outcome; run: StepRun }> {
    const { clock, events, schemas, workerOf } = this.#services;
    const { state } = this.#session;
    const control = new StepControl();
    this.#control = control;
    const run = new StepRun(this.#session, control, stepListener(events, state, block));
    const time = remainingMs(block, state);
    if (time) control.stopAfter(time.ms, { kind: time.by, message: timeUp(block, state, time.by) });
    if (events.watched) events.emit(stepStarted(state, block, assembled));
    const outcome = await runWorker({
      name: block.worker,
      worker: () => workerOf(block),
      assembled,
      run,
      control,
      history: state.history,
      clock,
    });
    this.#control = undefined;
    if (outcome.kind === 'stopped') this.#session.note({ t: 'usage', ms: outcome.ms });
    return {
      outcome: outcome.kind === 'answered' ? checkOutput(block, outcome, schemas, run) : outcome,
      run,
    };
  }

  /** A person resumed past the last block: the run ends as any run does, gates included. */
  async #finish(): Promise<void> {
    const { gates } = this.#session.state;
    const tree = this.#manifest.gates.length > 0 ? await this.#io.tree() : '';
    const change = endOfRun(this.#manifest, gates, tree);
    this.#commit({ t: 'status', change, at: this.#io.now() });
  }

  /** Files first, then the journal: a step that counts always finds its checkpoint. */
  async #withFiles(record: JournalRecord): Promise<JournalRecord> {
    if (record.t !== 'step') return record;
    const files = await this.#services.tree.save?.(record.step);
    return files === undefined ? record : { ...record, files };
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

function timeUp(block: ResolvedBlock, state: SessionState, by: 'limit' | 'budget'): string {
  if (by === 'budget') return `${state.budget.minutes} minutes`;
  return `${block.id} was stopped after its ${block.limits?.minutes} minutes`;
}
