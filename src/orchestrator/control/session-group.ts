import { ConflictError, UsageError } from '../../kernel/errors.ts';
import { Emitter, type EventStream } from '../../kernel/events.ts';
import type { WorkflowManifest } from '../../manifest/definition.ts';
import type { StageWorkflow } from '../../manifest/stages/definition.ts';
import type { ResumeOptions } from '../engine/continuation.ts';
import type { EngineEvent } from '../events.ts';
import type { FinalState } from '../final-state.ts';
import { Orchestrator } from '../orchestrator.ts';
import type { ExecuteOptions, OrchestratorServices } from '../services.ts';
import type { SessionManager } from '../state/session-manager.ts';

type Services = OrchestratorServices & { readonly sessions: SessionManager };

interface Running {
  readonly orchestrator: Orchestrator;
  readonly ended: Promise<FinalState>;
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Several sessions at once in one process, each with its own engine and processes; every event names its session. */
export class SessionGroup {
  readonly events: EventStream<EngineEvent>;
  readonly #stream = new Emitter<EngineEvent>();
  readonly #running = new Map<string, Running>();

  constructor() {
    this.events = this.#stream;
  }

  /** The sessions that run now. */
  ids(): string[] {
    return [...this.#running.keys()].sort();
  }

  /** Starts a session and gives its id; `ended(id)` resolves with what it came to. */
  start(
    manifest: WorkflowManifest | StageWorkflow,
    services: Services,
    node: string,
    options: ExecuteOptions = {},
  ): string {
    const id = options.sessionId ?? services.sessions.newId();
    const orchestrator = new Orchestrator(manifest, services);
    this.#add(id, orchestrator, () => orchestrator.execute(node, { ...options, sessionId: id }));
    return id;
  }

  resume(id: string, services: Services, options: ResumeOptions = {}): void {
    if (this.#running.has(id)) {
      throw new ConflictError(`Session ${id} runs already.`, { next: 'Wait for it, or stop it first.' });
    }
    const orchestrator = Orchestrator.open(id, services);
    this.#add(id, orchestrator, () => orchestrator.resume(options));
  }

  /** Rejects when the session failed, as `execute` does. */
  ended(id: string): Promise<FinalState> {
    return this.#get(id).ended;
  }

  /** Ends the running step with its processes; the session can be resumed. */
  async stop(id: string, reason?: string): Promise<void> {
    const { orchestrator, ended } = this.#get(id);
    orchestrator.interrupt(reason);
    await ended.catch(() => undefined);
  }

  /** Stops a session that runs, and deletes what is stored of it. */
  async remove(id: string, sessions: SessionManager): Promise<void> {
    if (this.#running.has(id)) await this.stop(id);
    sessions.remove(id);
  }

  async stopAll(reason?: string): Promise<void> {
    await Promise.all(this.ids().map((id) => this.stop(id, reason)));
  }

  /** On Ctrl-C and its relative every session is stored, its processes are ended, and `exit` is called. */
  onSignals(exit: (code: number) => void): () => void {
    const listeners = Object.entries(EXIT_CODES).map(([signal, code]) => {
      const listener = (): void => {
        void this.stopAll(`interrupted by ${signal}`).then(() => exit(code));
      };
      process.once(signal, listener);
      return () => process.off(signal, listener);
    });
    return () => {
      for (const remove of listeners) remove();
    };
  }

  #add(id: string, orchestrator: Orchestrator, begin: () => Promise<FinalState>): void {
    const unsubscribe = orchestrator.events.subscribe((event) => this.#stream.emit(event));
    const ended = begin().finally(() => {
      unsubscribe();
      this.#running.delete(id);
    });
    // Whoever asks for the end hears of the failure; nobody has to ask.
    ended.catch(() => undefined);
    this.#running.set(id, { orchestrator, ended });
  }

  #get(id: string): Running {
    const running = this.#running.get(id);
    if (running) return running;
    throw new UsageError(`Session ${id} does not run here.`, {
      next: this.#running.size === 0 ? 'None runs here.' : `These do: ${this.ids().join(', ')}.`,
    });
  }
}
