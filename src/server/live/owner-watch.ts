import type { JsonEvent } from '../../api/events.ts';
import { foldEvent, type LiveSession } from '../../api/live.ts';
import type { Project } from '../../project/project.ts';
import type { Hub } from './hub.ts';

type Watching = Awaited<ReturnType<Project['watch']>>;

/**
 * What the process that runs a session tells, while somebody looks. Its state is folded here with the same events and
 * times that are published, so that whoever asks for it can go on folding.
 */
export class OwnerWatch {
  readonly #project: Pick<Project, 'watch'>;
  readonly #hub: Hub;
  readonly #id: string;
  #state: LiveSession | null = null;
  #watching: Watching | undefined;
  #isConnecting = false;
  #isOver = false;

  constructor(project: Pick<Project, 'watch'>, hub: Hub, id: string) {
    this.#project = project;
    this.#hub = hub;
    this.#id = id;
  }

  get state(): LiveSession | null {
    return this.#state;
  }

  /** Tries to reach the owner, unless that is done already. */
  async connect(): Promise<void> {
    if (this.#isConnecting || this.#watching || this.#isOver) return;
    this.#isConnecting = true;
    try {
      const watching = await this.#project.watch(this.#id);
      if (this.#isOver) return watching.stop();
      this.#watching = watching;
      this.#state = watching.live;
      this.#publish({ type: 'live.began', id: this.#id });
      void this.#follow(watching);
    } catch {
      // It ended just now, or cannot be reached: what it does is in its journal all the same.
    } finally {
      this.#isConnecting = false;
    }
  }

  end(): void {
    this.#isOver = true;
    this.#watching?.stop();
  }

  async #follow(watching: Watching): Promise<void> {
    try {
      for await (const event of watching.events) {
        if (event.type === 'watch.skipped') this.#resync();
        else this.#tell(event);
      }
    } finally {
      this.#watching = undefined;
      this.#state = null;
      this.#publish({ type: 'live.ended', id: this.#id });
    }
  }

  #tell(event: JsonEvent): void {
    const at = Date.now();
    const told = withoutHistory(event);
    if (this.#state) this.#state = foldEvent(this.#state, told, at);
    this.#publish({ type: 'engine', id: this.#id, at, event: told });
  }

  /** Some events passed by: whoever folds them asks for the state again. */
  #resync(): void {
    this.#publish({ type: 'live.began', id: this.#id });
  }

  #publish(change: Parameters<Hub['publish']>[1]): void {
    this.#hub.publish([`session:${this.#id}`], change);
  }
}

/** What a step added can be large, and is read from the journal by whoever looks at the step. */
function withoutHistory(event: JsonEvent): JsonEvent {
  return event.type === 'step.finished' ? { ...event, added: [] } : event;
}
