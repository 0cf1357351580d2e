import { createHash } from 'node:crypto';
import type { Task } from '../../backlog/task.ts';
import { STATES, type TaskState } from '../../backlog/words.ts';
import { errorMessage } from '../../kernel/errors.ts';
import { Emitter, type EventStream } from '../../kernel/events.ts';
import { hasStore, openStore, type Store } from '../../store/open.ts';
import type { Place } from '../place.ts';

/** What happens to the backlog, whoever does it. */
export type BacklogChange =
  | { readonly type: 'task.changed'; readonly task: Task }
  | { readonly type: 'task.removed'; readonly id: string }
  /** Small tables, which are read whole by whoever shows them. */
  | { readonly type: 'run.changed' | 'lease.changed' | 'plan.changed' | 'agent.changed' | 'spend.changed' }
  | { readonly type: 'finding.changed'; readonly job: string }
  /** It could not look; it looks again when that is due. */
  | { readonly type: 'feed.failed'; readonly what: string };

const LOOK_EVERY_MS = 100;
/** A backlog that does not exist yet is looked for less often. */
const FIND_EVERY_MS = 1000;

/**
 * Follows the backlog of a project. Invariants:
 * 1. Nothing is read while nobody has written.
 * 2. A task is told as it is at that moment, and at least once after its last change.
 */
export class BacklogFeed {
  readonly events: EventStream<BacklogChange>;
  readonly #emitter = new Emitter<BacklogChange>();
  readonly #place: Place;
  readonly #told = new Map<string, { readonly digest: string; readonly state: TaskState }>();
  #marks: Awaited<ReturnType<Store['marks']>> | undefined;
  #store: Store | undefined;
  #version = -1;
  #newest = 0;
  #timer: NodeJS.Timeout;
  #reading: Promise<void> | undefined;
  #isClosed = false;
  #failure: string | undefined;
  readonly #wasThere: boolean;

  constructor(place: Place) {
    this.#place = place;
    this.#wasThere = hasStore(place.folder);
    this.events = this.#emitter;
    this.#timer = setTimeout(() => this.#look(), 0);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#store?.close();
    this.#store = undefined;
  }

  /** How many tasks there are in each state. */
  counts(): { readonly [state in TaskState]: number } {
    const counts = Object.fromEntries(STATES.map((state) => [state, 0])) as { [state in TaskState]: number };
    for (const { state } of this.#told.values()) counts[state]++;
    return counts;
  }

  /** Looks now, instead of when it is due. */
  async lookNow(): Promise<void> {
    await this.#reading;
    clearTimeout(this.#timer);
    this.#look();
    await this.#reading;
  }

  #look(): void {
    this.#reading = this.#lookOnce();
    void this.#reading;
  }

  async #lookOnce(): Promise<void> {
    try {
      if (this.#isChanged()) await this.#read();
    } catch (error) {
      if (!this.#isClosed) this.#fail(errorMessage(error));
    }
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => this.#look(), this.#store ? LOOK_EVERY_MS : FIND_EVERY_MS);
    this.#timer.unref();
  }

  /** Said once, until it is something else; what it has open may be what is wrong. */
  #fail(what: string): void {
    this.#store?.close();
    this.#store = undefined;
    this.#version = -1;
    if (this.#failure !== what) this.#emitter.emit({ type: 'feed.failed', what });
    this.#failure = what;
  }

  #isChanged(): boolean {
    if (!this.#store && hasStore(this.#place.folder)) this.#store = openStore(this.#place.folder);
    if (!this.#store) return false;
    const version = this.#store.version();
    if (version === this.#version) return false;
    this.#version = version;
    return true;
  }

  async #read(): Promise<void> {
    // What is there when it begins is no news; what comes into a backlog that was not there yet is.
    const isFirst = this.#marks === undefined && this.#wasThere;
    const store = this.#store as Store;
    const { backlog } = store;
    const changed = await backlog.list({ updatedSince: this.#newest });
    const ids = new Set(await backlog.ids());
    const marks = await store.marks();
    if (this.#isClosed) return;
    for (const task of changed) this.#tell(task, isFirst);
    for (const id of this.#told.keys()) if (!ids.has(id)) this.#removed(id);
    this.#compare(marks);
  }

  #compare(marks: Awaited<ReturnType<Store['marks']>>): void {
    const before = this.#marks;
    this.#marks = marks;
    if (!before) return;
    if (before.runs !== marks.runs) this.#emitter.emit({ type: 'run.changed' });
    if (before.leases !== marks.leases || before.runtimes !== marks.runtimes)
      this.#emitter.emit({ type: 'lease.changed' });
    if (before.plans !== marks.plans) this.#emitter.emit({ type: 'plan.changed' });
    if (before.agents !== marks.agents) this.#emitter.emit({ type: 'agent.changed' });
    if (before.spend !== marks.spend) this.#emitter.emit({ type: 'spend.changed' });
    for (const job of new Set([...Object.keys(before.research), ...Object.keys(marks.research)])) {
      if (before.research[job] !== marks.research[job]) this.#emitter.emit({ type: 'finding.changed', job });
    }
  }

  #tell(task: Task, isFirst: boolean): void {
    this.#newest = Math.max(this.#newest, task.updatedAt);
    // Thousands of them are kept: enough to tell two apart.
    const digest = createHash('sha1').update(JSON.stringify(task)).digest('base64');
    const isNews = this.#told.get(task.id)?.digest !== digest;
    this.#told.set(task.id, { digest, state: task.state });
    if (isNews && !isFirst) this.#emitter.emit({ type: 'task.changed', task });
  }

  #removed(id: string): void {
    this.#told.delete(id);
    this.#emitter.emit({ type: 'task.removed', id });
  }
}
