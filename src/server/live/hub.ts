import type { EventId, LiveChange, LiveEvent, Topic } from '../../api/routes/live.ts';
import { Emitter } from '../../kernel/events.ts';

/** An event as it is kept and sent: written once, whoever gets it. */
export interface HubEvent extends LiveEvent {
  readonly n: number;
  readonly text: string;
  /** Of events with the same key only the newest matters. */
  readonly key: string | undefined;
}

export interface HubLimits {
  readonly events: number;
  readonly bytes: number;
}

const LIMITS: HubLimits = { events: 20_000, bytes: 16 * 1024 * 1024 };

/**
 * Puts everything that happens into one order. Invariants:
 * 1. Ids only grow, without a gap, and name this start of the server.
 * 2. Whoever has seen an event that is still kept can be given all that came after it, and nothing else.
 */
export class Hub {
  readonly boot: string;
  readonly #limits: HubLimits;
  readonly #emitter = new Emitter<HubEvent>();
  #ring: HubEvent[] = [];
  /** How many at the beginning of the ring are forgotten; they are cut off now and then. */
  #gone = 0;
  #bytes = 0;
  #last = 0;

  constructor(boot: string, limits: HubLimits = LIMITS) {
    this.boot = boot;
    this.#limits = limits;
  }

  /** The number of the newest event; 0 before the first. */
  get n(): number {
    return this.#last;
  }

  get at(): EventId {
    return `${this.boot}-${this.#last}`;
  }

  publish(topics: readonly Topic[], change: LiveChange): void {
    const n = ++this.#last;
    const event: LiveEvent = { id: `${this.boot}-${n}`, topics, change };
    const kept = { ...event, n, text: JSON.stringify(event), key: keyOf(change) };
    this.#ring.push(kept);
    this.#bytes += kept.text.length;
    this.#forget();
    this.#emitter.emit(kept);
  }

  subscribe(listener: (event: HubEvent) => void): () => void {
    return this.#emitter.subscribe(listener);
  }

  /** All that came after an event; undefined when that is no longer known, or never was. */
  since(after: string): readonly HubEvent[] | undefined {
    const n = this.numberOf(after);
    if (n === undefined || n > this.#last) return undefined;
    const oldest = this.#ring[this.#gone]?.n ?? this.#last + 1;
    if (n < oldest - 1) return undefined;
    return this.#ring.slice(this.#gone + (n - oldest + 1));
  }

  /** Undefined for the id of another start. */
  numberOf(id: string): number | undefined {
    const [boot, n] = [id.slice(0, id.lastIndexOf('-')), id.slice(id.lastIndexOf('-') + 1)];
    return boot === this.boot && /^\d{1,15}$/.test(n) ? Number(n) : undefined;
  }

  #forget(): void {
    const isOver = () =>
      this.#ring.length - this.#gone > this.#limits.events || this.#bytes > this.#limits.bytes;
    while (isOver() && this.#gone < this.#ring.length - 1) {
      this.#bytes -= this.#ring[this.#gone]?.text.length ?? 0;
      this.#gone++;
    }
    if (this.#gone < 1024 || this.#gone * 2 < this.#ring.length) return;
    this.#ring = this.#ring.slice(this.#gone);
    this.#gone = 0;
  }
}

function keyOf(change: LiveChange): string | undefined {
  switch (change.type) {
    case 'session.changed':
      return `session ${change.session.id}`;
    case 'task.changed':
      return `task ${change.task.id}`;
    case 'log.grew':
      return `log ${change.id}/${change.name}`;
    case 'run.changed':
    case 'lease.changed':
    case 'plan.changed':
    case 'agent.changed':
    case 'spend.changed':
      return change.type;
    default:
      return undefined;
  }
}
