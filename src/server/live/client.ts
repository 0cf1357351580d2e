import type { ServerMessage, Topic } from '../../api/routes/live.ts';
import type { Hub, HubEvent } from './hub.ts';

/** Where a client is reached. */
export interface Sink {
  events(events: readonly HubEvent[]): void;
  say(message: ServerMessage): void;
  /** Bytes that were sent and not yet taken. */
  unsent(): number;
  close(reason: string): void;
}

const BATCH_MS = 33;
/** Beyond this a client gets nothing more; once it reads again it asks for everything. */
const SLOW = 1024 * 1024;
const HOPELESS = 8 * 1024 * 1024;
const PATIENCE_MS = 30_000;
/** Of output, per second; the files have it all. */
const OUTPUT_PER_SECOND = 256 * 1024;

/**
 * One client of the hub. Invariants:
 * 1. It gets every event of its topics once and in order, or a `reset` and everything after it.
 * 2. What waits for it is bounded, however slowly it reads.
 */
export class LiveClient {
  readonly #hub: Hub;
  readonly #sink: Sink;
  readonly #now: () => number;
  readonly #unsubscribe: () => void;
  #topics: ReadonlySet<string> = new Set();
  #waiting: HubEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #output = { since: 0, bytes: 0 };
  #skipped = new Map<string, number>();
  /** It missed something and has to be told so once it reads again. */
  #missed = false;
  #stuck = { unsent: 0, since: 0 };

  constructor(hub: Hub, sink: Sink, now: () => number = () => performance.now()) {
    this.#hub = hub;
    this.#sink = sink;
    this.#now = now;
    this.#unsubscribe = hub.subscribe((event) => this.#take(event));
  }

  /**
   * What it wants to be told from now on. `after`: the last event it has seen; `covered`: from which number on all
   * events of its topics were published, because somebody looked.
   */
  watch(topics: readonly Topic[], resume?: { readonly after: string; readonly covered: number }): void {
    this.#topics = new Set(topics);
    if (!resume) return;
    const n = this.#hub.numberOf(resume.after);
    const missed = this.#hub.since(resume.after);
    if (!missed || n === undefined || n < resume.covered)
      return this.#sink.say({ reset: { at: this.#hub.at } });
    for (const event of missed) this.#take(event);
  }

  close(): void {
    this.#unsubscribe();
    clearTimeout(this.#timer);
    this.#waiting = [];
  }

  /** Sends what waits, instead of when it is due. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const unsent = this.#sink.unsent();
    if (this.#isHopeless(unsent)) return this.#sink.close('It does not read what it is sent.');
    if (unsent > SLOW) this.#miss();
    else if (this.#missed) {
      this.#missed = false;
      this.#waiting = [];
      this.#sink.say({ reset: { at: this.#hub.at } });
    }
    const events = this.#waiting;
    this.#waiting = [];
    if (events.length > 0) this.#sink.events(events);
    for (const [topic, bytes] of this.#skipped) this.#sink.say({ skipped: { topic, bytes } });
    this.#skipped.clear();
    if (this.#missed || this.#sink.unsent() > SLOW) this.#later();
  }

  #take(event: HubEvent): void {
    if (!event.topics.some((topic) => this.#topics.has(topic))) return;
    if (isOutput(event) && !this.#hasRoomFor(event)) {
      const topic = event.topics[0] ?? '';
      this.#skipped.set(topic, (this.#skipped.get(topic) ?? 0) + event.text.length);
      return this.#later();
    }
    if (event.key !== undefined) {
      const older = this.#waiting.findIndex(({ key }) => key === event.key);
      if (older >= 0) this.#waiting.splice(older, 1);
    }
    this.#waiting.push(event);
    this.#later();
  }

  #hasRoomFor({ text }: HubEvent): boolean {
    const now = this.#now();
    if (now - this.#output.since >= 1000) this.#output = { since: now, bytes: 0 };
    if (this.#output.bytes + text.length > OUTPUT_PER_SECOND) return false;
    this.#output.bytes += text.length;
    return true;
  }

  /**
   * Nothing at all is sent until it reads again: an event behind a gap would let whoever comes back go on from there,
   * and what was left out would never be told.
   */
  #miss(): void {
    if (this.#waiting.length > 0) this.#missed = true;
    this.#waiting = [];
  }

  #isHopeless(unsent: number): boolean {
    if (unsent > HOPELESS) return true;
    const now = this.#now();
    if (unsent === 0 || unsent < this.#stuck.unsent) this.#stuck = { unsent, since: now };
    else if (this.#stuck.unsent === 0) this.#stuck = { unsent, since: now };
    return unsent > 0 && now - this.#stuck.since > PATIENCE_MS;
  }

  #later(): void {
    this.#timer ??= setTimeout(() => this.flush(), BATCH_MS);
  }
}

/** What can be left out, because a file has it. */
function isOutput({ change }: HubEvent): boolean {
  return (
    change.type === 'engine' && (change.event.type === 'step.output' || change.event.type === 'task.output')
  );
}
