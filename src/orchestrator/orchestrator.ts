import { ConflictError } from '../kernel/errors.ts';
import { Emitter, type EventStream } from '../kernel/events.ts';
import type { StartsIn } from '../manifest/define-workflow.ts';
import type { WorkflowManifest } from '../manifest/definition.ts';
import type { Problem } from '../manifest/problem.ts';
import type { ResolvedManifest } from '../manifest/resolved.ts';
import type { StageWorkflow } from '../manifest/stages/definition.ts';
import type { LiveTask } from '../manifest/task.ts';
import { withRoster, workersFor } from '../workers/workers-for.ts';
import { endTask } from './control/end-task.ts';
import { Reach, type Stops } from './control/reach.ts';
import { announceStatus } from './engine/announce.ts';
import { type ContinueOptions, continuation, guidanceSegments } from './engine/continuation.ts';
import { type ExecutorServices, WorkflowExecutor } from './engine/executor.ts';
import { publishViews } from './engine/live-view.ts';
import type { StopCause } from './engine/outcome.ts';
import { configOf, newSession, prepareExecutor, resolve } from './engine/prepare.ts';
import type { EngineEvent } from './events.ts';
import { type FinalState, finalState } from './final-state.ts';
import type { ExecuteOptions, OrchestratorServices } from './services.ts';
import type { Session } from './state/session.ts';
import { SessionManager } from './state/session-manager.ts';
import { isFinal } from './state/status.ts';

export interface ResumeOptions extends ContinueOptions {
  /** Take the session even from a process that is still alive. */
  readonly takeOver?: boolean;
}

/**
 * The public face of the engine: one manifest, one session at a time, one stream of events. `Node` are the nodes of a
 * workflow made with `defineWorkflow`; for plain data it is any name.
 */
export class Orchestrator<Node extends string = string> {
  readonly manifest: ResolvedManifest;
  /** What validation found odd, but not wrong. */
  readonly warnings: readonly Problem[];
  readonly events: EventStream<EngineEvent>;
  readonly #services: OrchestratorServices;
  readonly #sessions: SessionManager;
  readonly #engine: ExecutorServices;
  readonly #stream = new Emitter<EngineEvent>();
  #sessionId: string | undefined;
  #executor: WorkflowExecutor | undefined;
  #session: Session | undefined;
  #running: Promise<FinalState> | undefined;
  /** Said while a session was being opened, before there was a step to stop. */
  #stop: StopCause | undefined;
  #waiting: AbortController | undefined;

  /** A graph or a pipeline. It is validated as a whole; an invalid one is refused here with all its problems. */
  constructor(
    manifest: (WorkflowManifest | StageWorkflow | ResolvedManifest) & StartsIn<Node>,
    services: OrchestratorServices,
  ) {
    const registry = workersFor(services);
    const resolved = resolve(manifest, services, registry);
    this.manifest = resolved.manifest;
    this.warnings = resolved.warnings;
    this.events = this.#stream;
    this.#services = services;
    this.#sessions = services.sessions ?? SessionManager.inMemory(services);
    const workers = withRoster(registry, this.manifest.workers, services);
    this.#engine = prepareExecutor(this.manifest, services, workers, this.#stream);
    if (services.onState) publishViews(this.manifest, this.#stream, services.onState);
  }

  /** Attaches to a stored session with the manifest it was started with; `resume`, `retry` or `abort` follow. */
  static open(
    sessionId: string,
    services: OrchestratorServices & { sessions: SessionManager },
  ): Orchestrator {
    const { manifest } = services.sessions.load(sessionId);
    const orchestrator = new Orchestrator(manifest, services);
    orchestrator.#sessionId = sessionId;
    return orchestrator;
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  /** Runs the graph from a node's entry block in a new session. Rejects only when the session failed. */
  async execute(startNodeId: Node, options: ExecuteOptions = {}): Promise<FinalState> {
    return this.#exclusively(async () => {
      const wanted = newSession(this.manifest, this.#services, startNodeId, options);
      const files = await this.#engine.tree.save?.(0);
      const session = this.#sessions.create(files === undefined ? wanted : { ...wanted, files });
      return this.#run(session, async () => {
        const { id, goal, at } = session.state;
        this.#sessionId = id;
        this.#stream.emit({ session: id, type: 'session.started', goal, at: at ?? '' });
      });
    });
  }

  /** Goes on after a halt, a park or the death of the owner. A text is guidance for the next worker. */
  async resume(options: string | ResumeOptions = {}): Promise<FinalState> {
    return this.#continue('resume', options);
  }

  /** Runs the block that halted or failed once more. */
  async retry(options: string | ResumeOptions = {}): Promise<FinalState> {
    return this.#continue('retry', options);
  }

  /** Ends the session for good, whoever runs it: a running worker is cancelled, its processes are ended. */
  async abort(reason = 'aborted by a person', options: { guidance?: string } = {}): Promise<FinalState> {
    if (this.#running) {
      const running = this.#running;
      this.#end({ kind: 'aborted', message: reason, ...options });
      return running;
    }
    return this.#exclusively(async () => {
      const session = await this.#sessions.open(this.#attached(), { takeOver: true });
      try {
        const added = guidanceSegments(session.state, options.guidance);
        const change = { to: 'aborted', reason } as const;
        const state = session.record({ t: 'status', change, added, at: this.#engine.clock.now() });
        announceStatus(this.#stream, state);
        await this.#services.admission?.leave(state.id);
        return finalState(state);
      } finally {
        session.release();
      }
    });
  }

  /** Ends the running step and halts, so that `resume` runs that block again. */
  interrupt(message = 'interrupted by a person'): void {
    if (this.#running) this.#end({ kind: 'interrupted', message });
  }

  /** Ends a running interactive task as done; resolves when it is. Throws for any other. */
  async completeTask(taskId: string): Promise<void> {
    await endTask(this.#stream, this.#task(taskId), 'complete');
  }

  /** Types into a running task, key by key. */
  send(taskId: string, text: string): void {
    this.#task(taskId).send(text);
  }

  /** Answers the open question of a running task: a choice, its number, or any text. */
  answer(taskId: string, text: string): void {
    this.#task(taskId).answer(text);
  }

  /** Ends the process of a running task, which then counts as not done. */
  async stopTask(taskId: string): Promise<void> {
    await endTask(this.#stream, this.#task(taskId), 'stop');
  }

  #task(id: string): LiveTask {
    return this.#engine.live.get(id, this.#session?.state);
  }

  #stops(): Stops {
    return {
      abort: (reason) => this.#end({ kind: 'aborted', message: reason }),
      interrupt: (reason) => this.#end({ kind: 'interrupted', message: reason }),
    };
  }

  #end(cause: StopCause): void {
    this.#stop ??= cause;
    this.#executor?.stop(cause);
    this.#waiting?.abort();
  }

  async #continue(how: 'resume' | 'retry', given: string | ResumeOptions): Promise<FinalState> {
    const options = typeof given === 'string' ? { guidance: given } : given;
    return this.#exclusively(async () => {
      const id = this.#attached();
      const now = this.#engine.clock.now();
      continuation(this.#sessions.load(id).state, how, options, now);
      const session = await this.#sessions.open(id, options);
      const { status, files } = session.state;
      const interrupted = status === 'running' && files !== null;
      return this.#run(session, async () => {
        // What a step half did before its process died is undone before the step is run again.
        if (interrupted) await this.#engine.tree.restore?.(files);
        const config = configOf(this.manifest, this.#services);
        const same = JSON.stringify(config) === JSON.stringify(session.state.config ?? {});
        const continued = continuation(session.state, how, options, now);
        const { at } = session.record(same ? continued : { ...continued, config });
        this.#stream.emit({ session: id, type: 'session.continued', how, at });
      });
    });
  }

  /** Whatever happens from `begin` on, the session is let go of at the end. */
  async #run(session: Session, begin: () => Promise<void>): Promise<FinalState> {
    const executor = new WorkflowExecutor(session, this.#engine);
    this.#executor = executor;
    this.#session = session;
    let reach: Reach | undefined;
    session.onLost(() => executor.stop({ kind: 'lost' }));
    try {
      await begin();
      if (this.#services.control) reach = new Reach(session, this.#engine, this.#stops());
      if (!(await this.#takeTurn(session))) return finalState(session.state);
      if (this.#stop) executor.stop(this.#stop);
      const state = await executor.run();
      if (isFinal(state.status)) await this.#services.admission?.leave(state.id);
      if (state.status === 'failed') throw executor.error ?? new Error(state.error?.message);
      return finalState(state);
    } finally {
      this.#executor = undefined;
      this.#session = undefined;
      await reach?.close();
      session.release();
    }
  }

  /** Waits until nobody else changes the files this session means to change; false when it gave up waiting. */
  async #takeTurn(session: Session): Promise<boolean> {
    const { admission } = this.#services;
    if (!admission) return true;
    const cancel = new AbortController();
    this.#waiting = cancel;
    if (this.#stop) cancel.abort();
    const admitted = await admission.turn(session.state.id, {
      cancel: cancel.signal,
      onWait: (waiting) => {
        const { message: reason, sessions } = waiting;
        session.changeStatus({ to: 'waiting', reason, sessions });
        this.#stream.emit({ session: session.state.id, type: 'session.waiting', waiting });
      },
    });
    this.#waiting = undefined;
    if (!admitted && !this.#stop) return false;
    const made = typeof admitted === 'object' ? admitted.made : undefined;
    if (admitted === 'moved' || made) {
      const files = await this.#engine.tree.save?.(0);
      if (files !== undefined)
        session.record({ t: 'progress', step: 0, note: { type: 'checkpoint', files } });
    }
    // What is known of files that were made only now, and that they are there, is written at once.
    if (made)
      session.record({ t: 'status', change: { to: 'running' }, added: made, at: this.#engine.clock.now() });
    else if (session.state.status === 'waiting') session.changeStatus({ to: 'running' });
    return true;
  }

  async #exclusively(action: () => Promise<FinalState>): Promise<FinalState> {
    if (this.#running) {
      throw new ConflictError('This orchestrator is running a session already.', {
        next: 'Wait for its promise, or make another Orchestrator.',
      });
    }
    this.#running = action();
    try {
      return await this.#running;
    } finally {
      this.#running = undefined;
      this.#stop = undefined;
    }
  }

  #attached(): string {
    if (this.#sessionId !== undefined) return this.#sessionId;
    throw new ConflictError('There is no session to continue.', {
      next: 'Start one with execute(), or attach with Orchestrator.open().',
    });
  }
}
