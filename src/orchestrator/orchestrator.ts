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
import type { ResumeOptions } from './engine/continuation.ts';
import { publishViews } from './engine/live-view.ts';
import { prepareExecutor, resolve } from './engine/prepare.ts';
import { type RunBy, SessionRun } from './engine/session-run.ts';
import type { EngineEvent } from './events.ts';
import type { FinalState } from './final-state.ts';
import type { ExecuteOptions, OrchestratorServices } from './services.ts';
import { SessionManager } from './state/session-manager.ts';

/**
 * The public face of the engine: one manifest, one session at a time, one stream of events. `Node` are the nodes of a
 * workflow made with `defineWorkflow`; for plain data it is any name.
 */
export class Orchestrator<Node extends string = string> {
  readonly manifest: ResolvedManifest;
  /** What validation found odd, but not wrong. */
  readonly warnings: readonly Problem[];
  readonly events: EventStream<EngineEvent>;
  readonly #by: RunBy;
  readonly #stream = new Emitter<EngineEvent>();
  #sessionId: string | undefined;
  #current: { readonly run: SessionRun; readonly ended: Promise<FinalState> } | undefined;

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
    const sessions = services.sessions ?? SessionManager.inMemory(services);
    const workers = withRoster(registry, this.manifest.workers, services);
    const engine = prepareExecutor(this.manifest, services, workers, this.#stream);
    this.#by = { manifest: this.manifest, services, engine, sessions };
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
    return this.#exclusively((run) =>
      run.start(startNodeId, options, (id) => {
        this.#sessionId = id;
      }),
    );
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
    if (this.#current) {
      const { run, ended } = this.#current;
      run.stop({ kind: 'aborted', message: reason, ...options });
      return ended;
    }
    return this.#exclusively(async (run) => run.abort(this.#attached(), reason, options.guidance));
  }

  /** Ends the running step and halts, so that `resume` runs that block again. */
  interrupt(message = 'interrupted by a person'): void {
    this.#current?.run.stop({ kind: 'interrupted', message });
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
    return this.#by.engine.live.get(id, this.#current?.run.state);
  }

  async #continue(how: 'resume' | 'retry', given: string | ResumeOptions): Promise<FinalState> {
    const options = typeof given === 'string' ? { guidance: given } : given;
    return this.#exclusively(async (run) => run.continue(this.#attached(), how, options));
  }

  async #exclusively(action: (run: SessionRun) => Promise<FinalState>): Promise<FinalState> {
    if (this.#current) {
      throw new ConflictError('This orchestrator is running a session already.', {
        next: 'Wait for its promise, or make another Orchestrator.',
      });
    }
    const run = new SessionRun(this.#by);
    const ended = action(run);
    this.#current = { run, ended };
    try {
      return await ended;
    } finally {
      this.#current = undefined;
    }
  }

  #attached(): string {
    if (this.#sessionId !== undefined) return this.#sessionId;
    throw new ConflictError('There is no session to continue.', {
      next: 'Start one with execute(), or attach with Orchestrator.open().',
    });
  }
}
