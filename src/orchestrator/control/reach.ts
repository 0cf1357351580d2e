import type { Clock } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors.ts';
import type { Emitter } from '../../kernel/events.ts';
import type { LiveTask } from '../../manifest/task.ts';
import type { LiveTasks } from '../engine/live-tasks.ts';
import type { EngineEvent } from '../events.ts';
import type { Session } from '../state/session.ts';
import type { JournalPosition } from '../state/store.ts';
import { Connection, type Reachable } from './handler.ts';
import type { TaskLine } from './protocol.ts';
import { ControlServer } from './server.ts';

interface Asked {
  readonly question: string;
  readonly choices: readonly string[];
}

interface Started {
  readonly agent: string;
  readonly mode: string;
  readonly since: number;
}

/** What the owner of a session lets others do with it as a whole. */
export interface Stops {
  abort(reason: string): void;
  interrupt(reason: string): void;
}

/** Makes a session reachable for other processes as long as it is run. */
export class Reach implements Reachable {
  readonly events: Emitter<EngineEvent>;
  readonly #stops: Stops;
  readonly #session: Session;
  readonly #live: LiveTasks;
  readonly #questions = new Map<string, Asked>();
  readonly #started = new Map<string, Started>();
  readonly #unsubscribe: () => void;
  readonly #opening: Promise<ControlServer | undefined>;

  constructor(
    session: Session,
    engine: { readonly live: LiveTasks; readonly events: Emitter<EngineEvent>; readonly clock: Clock },
    stops: Stops,
  ) {
    this.#session = session;
    this.#live = engine.live;
    this.events = engine.events;
    this.#stops = stops;
    this.#unsubscribe = engine.events.subscribe((event) => {
      if (event.type === 'task.started') {
        const { agent, mode } = event;
        this.#started.set(event.task, { agent, mode, since: engine.clock.now() });
      } else if (event.type === 'task.interaction') this.#questions.set(event.task, event);
      else if (event.type === 'task.status') this.#questions.delete(event.task);
    });
    this.#opening = this.#open();
  }

  abort(reason: string): void {
    this.#stops.abort(reason);
  }

  interrupt(reason: string): void {
    this.#stops.interrupt(reason);
  }

  position(): JournalPosition {
    return this.#session.position();
  }

  tasks(): readonly TaskLine[] {
    const { tasks } = this.#session.state;
    return this.#live.all().map(({ id, interactive }) => {
      const asked = this.#questions.get(id);
      return {
        id,
        status: tasks[id] ?? 'RUNNING',
        interactive,
        ...this.#started.get(id),
        ...(asked && { question: asked.question, choices: asked.choices }),
      };
    });
  }

  task(id: string): LiveTask {
    return this.#live.get(id, this.#session.state);
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    await (await this.#opening)?.close();
  }

  /** Without a socket the session runs on; only other terminals cannot reach it. */
  async #open(): Promise<ControlServer | undefined> {
    const session = this.#session.state.id;
    try {
      const server = await ControlServer.open(session, () => new Connection(this));
      this.#session.reachableAt(server);
      this.events.emit({ session, type: 'session.reachable', socket: server.path });
      return server;
    } catch (error) {
      this.events.emit({ session, type: 'session.reachable', problem: errorMessage(error) });
      return undefined;
    }
  }
}
