import { errorMessage } from '../../kernel/errors.ts';
import type { Emitter } from '../../kernel/events.ts';
import type { LiveTask } from '../../manifest/task.ts';
import type { LiveTasks } from '../engine/live-tasks.ts';
import type { EngineEvent } from '../events.ts';
import type { Session } from '../state/session.ts';
import { Connection, type Reachable } from './handler.ts';
import type { TaskLine } from './protocol.ts';
import { ControlServer } from './server.ts';

interface Asked {
  readonly question: string;
  readonly choices: readonly string[];
}

/** Makes a running session reachable as soon as it has a task that somebody could want to reach. */
export class Reach implements Reachable {
  readonly events: Emitter<EngineEvent>;
  readonly abort: (reason: string) => void;
  readonly #session: Session;
  readonly #live: LiveTasks;
  readonly #questions = new Map<string, Asked>();
  readonly #unsubscribe: () => void;
  #opening: Promise<ControlServer | undefined> | undefined;

  constructor(
    session: Session,
    engine: { readonly live: LiveTasks; readonly events: Emitter<EngineEvent> },
    abort: (reason: string) => void,
  ) {
    this.#session = session;
    this.#live = engine.live;
    this.events = engine.events;
    this.abort = abort;
    this.#live.onFirst(() => {
      this.#opening = this.#open();
    });
    this.#unsubscribe = engine.events.subscribe((event) => {
      if (event.type === 'task.interaction') this.#questions.set(event.task, event);
      else if (event.type === 'task.status') this.#questions.delete(event.task);
    });
  }

  tasks(): readonly TaskLine[] {
    const { tasks } = this.#session.state;
    return this.#live.all().map(({ id, interactive }) => {
      const asked = this.#questions.get(id);
      const status = tasks[id] ?? 'RUNNING';
      return { id, status, interactive, ...(asked && { question: asked.question, choices: asked.choices }) };
    });
  }

  task(id: string): LiveTask {
    return this.#live.get(id, this.#session.state);
  }

  async close(): Promise<void> {
    this.#live.onFirst(undefined);
    this.#unsubscribe();
    await (await this.#opening)?.close();
  }

  /** Without a socket the session runs on; only other terminals cannot reach it. */
  async #open(): Promise<ControlServer | undefined> {
    const session = this.#session.state.id;
    try {
      const server = await ControlServer.open(session, () => new Connection(this));
      this.#session.reachableAt(server.path);
      this.events.emit({ session, type: 'session.reachable', socket: server.path });
      return server;
    } catch (error) {
      this.events.emit({ session, type: 'session.reachable', problem: errorMessage(error) });
      return undefined;
    }
  }
}
