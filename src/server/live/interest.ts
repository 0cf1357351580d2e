import type { Topic } from '../../api/routes/live.ts';
import type { Hub } from './hub.ts';

/** Begins to follow what a topic is about; the returned function ends it. */
export type Begin = (topic: Topic) => (() => void) | undefined;

interface Followed {
  count: number;
  readonly since: number;
  readonly end: (() => void) | undefined;
  timer?: NodeJS.Timeout;
}

/** Whoever reloads a page is back within this. */
const GRACE_MS = 5000;

/** What is followed only while somebody looks. */
export class Interest {
  readonly #hub: Hub;
  readonly #begin: Begin;
  readonly #graceMs: number;
  readonly #followed = new Map<Topic, Followed>();

  constructor(hub: Hub, begin: Begin, graceMs: number = GRACE_MS) {
    this.#hub = hub;
    this.#begin = begin;
    this.#graceMs = graceMs;
  }

  /** From which number on all events of these topics were, or will be, published. */
  add(topics: readonly Topic[]): number {
    return Math.max(0, ...topics.map((topic) => this.#addOne(topic)));
  }

  remove(topics: readonly Topic[]): void {
    for (const topic of topics) {
      const followed = this.#followed.get(topic);
      if (!followed || --followed.count > 0) continue;
      followed.timer = setTimeout(() => this.#end(topic), this.#graceMs);
      followed.timer.unref();
    }
  }

  close(): void {
    for (const topic of this.#followed.keys()) this.#end(topic);
  }

  #addOne(topic: Topic): number {
    const known = this.#followed.get(topic);
    if (known) {
      known.count++;
      clearTimeout(known.timer);
      return known.since;
    }
    const end = this.#begin(topic);
    // What needs nobody to look is told from the beginning.
    const since = end ? this.#hub.n : 0;
    this.#followed.set(topic, { count: 1, since, end });
    return since;
  }

  #end(topic: Topic): void {
    const followed = this.#followed.get(topic);
    clearTimeout(followed?.timer);
    this.#followed.delete(topic);
    followed?.end?.();
  }
}
