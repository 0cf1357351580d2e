import type { ResolvedManifest } from '../../manifest/resolved.ts';
import { Reach, type Stops } from '../control/reach.ts';
import { type FinalState, finalState } from '../final-state.ts';
import type { ExecuteOptions, OrchestratorServices } from '../services.ts';
import { isInConversation } from '../state/end-leftovers.ts';
import type { Session } from '../state/session.ts';
import type { SessionManager } from '../state/session-manager.ts';
import type { SessionState } from '../state/session-state.ts';
import { isFinal } from '../state/status.ts';
import { announceStatus } from './announce.ts';
import { continuation, guidanceSegments, type ResumeOptions } from './continuation.ts';
import { type ExecutorServices, WorkflowExecutor } from './executor.ts';
import type { StopCause } from './outcome.ts';
import { configOf, newSession } from './prepare.ts';
import { takeTurn } from './take-turn.ts';

/** What runs a session. */
export interface RunBy {
  readonly manifest: ResolvedManifest;
  readonly services: OrchestratorServices;
  readonly engine: ExecutorServices;
  readonly sessions: SessionManager;
}

/**
 * The time in which a process runs a session, from opening it to letting it go. Invariants:
 * 1. Whatever happens once it is opened, the session is released at the end.
 * 2. A stop counts whenever it comes: while the session is being opened, waits for its turn, or is in a step.
 */
export class SessionRun {
  readonly #by: RunBy;
  readonly #waiting = new AbortController();
  #session: Session | undefined;
  #executor: WorkflowExecutor | undefined;
  #stop: StopCause | undefined;

  constructor(by: RunBy) {
    this.#by = by;
  }

  /** Of the session while it is run. */
  get state(): SessionState | undefined {
    return this.#session?.state;
  }

  stop(cause: StopCause): void {
    this.#stop ??= cause;
    this.#executor?.stop(cause);
    this.#waiting.abort();
  }

  /** In a new session. */
  async start(
    startNodeId: string,
    options: ExecuteOptions,
    onStarted: (session: string) => void,
  ): Promise<FinalState> {
    const { manifest, services, engine, sessions } = this.#by;
    const wanted = newSession(manifest, services, startNodeId, options);
    const files = await engine.tree.save?.(0);
    const session = sessions.create(files === undefined ? wanted : { ...wanted, files });
    return this.#run(session, async () => {
      const { id, goal, at } = session.state;
      onStarted(id);
      engine.events.emit({ session: id, type: 'session.started', goal, at: at ?? '' });
    });
  }

  async continue(id: string, how: 'resume' | 'retry', options: ResumeOptions): Promise<FinalState> {
    const { manifest, services, engine, sessions } = this.#by;
    const now = engine.clock.now();
    continuation(sessions.load(id).state, how, options, now);
    const session = await sessions.open(id, options);
    const { status, files } = session.state;
    const interrupted = status === 'running' && files !== null && !isInConversation(session.state);
    return this.#run(session, async () => {
      // What a step half did before its process died is undone before the step is run again, but not what an agent
      // knows of: it goes on in its conversation, with the files it had.
      if (interrupted) await engine.tree.restore?.(files);
      const config = configOf(manifest, services);
      const same = JSON.stringify(config) === JSON.stringify(session.state.config ?? {});
      const continued = continuation(session.state, how, options, now);
      const { at } = session.record(same ? continued : { ...continued, config });
      engine.events.emit({ session: id, type: 'session.continued', how, at });
    });
  }

  /** Ends a session that this process does not run. */
  async abort(id: string, reason: string, guidance: string | undefined): Promise<FinalState> {
    const { services, engine, sessions } = this.#by;
    const session = await sessions.open(id, { takeOver: true });
    try {
      const added = guidanceSegments(session.state, guidance);
      const change = { to: 'aborted', reason } as const;
      const state = session.record({ t: 'status', change, added, at: engine.clock.now() });
      announceStatus(engine.events, state);
      await services.admission?.leave(state.id);
      return finalState(state);
    } finally {
      session.release();
    }
  }

  /** `begin` writes what the run starts with. Rejects only when the session failed. */
  async #run(session: Session, begin: () => Promise<void>): Promise<FinalState> {
    const { engine } = this.#by;
    const { admission, control, guard, worktreePath } = this.#by.services;
    const executor = new WorkflowExecutor(session, engine);
    this.#executor = executor;
    this.#session = session;
    let reach: Reach | undefined;
    session.onLost(() => executor.stop({ kind: 'lost' }));
    try {
      await begin();
      if (control) reach = new Reach(session, engine, this.#stops());
      const cancel = this.#waiting.signal;
      if (admission && !(await takeTurn(session, admission, engine, cancel)))
        return finalState(session.state);
      if (worktreePath !== undefined) await guard?.begin(worktreePath);
      if (this.#stop) executor.stop(this.#stop);
      const state = await executor.run();
      if (isFinal(state.status)) await admission?.leave(state.id);
      if (state.status === 'failed') throw executor.error ?? new Error(state.error?.message);
      return finalState(state);
    } finally {
      this.#executor = undefined;
      this.#session = undefined;
      await reach?.close();
      guard?.end();
      session.release();
    }
  }

  #stops(): Stops {
    return {
      abort: (reason) => this.stop({ kind: 'aborted', message: reason }),
      interrupt: (reason) => this.stop({ kind: 'interrupted', message: reason }),
    };
  }
}
