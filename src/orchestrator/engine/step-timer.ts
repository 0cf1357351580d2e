import type { Clock } from '../../kernel/clock.ts';
import type { BlockId } from '../../manifest/resolved.ts';
import type { Session } from '../state/session.ts';

/** Counts the active time of a step that may never finish. */
export class StepTimer {
  readonly #session: Session;
  readonly #block: BlockId;
  readonly #clock: Clock;
  readonly #began: number;
  readonly #waitedMs: () => number;
  #noted = 0;

  constructor(session: Session, block: BlockId, clock: Clock, waitedMs: () => number) {
    this.#session = session;
    this.#block = block;
    this.#clock = clock;
    this.#waitedMs = waitedMs;
    this.#began = clock.elapsed();
  }

  get notedMs(): number {
    return this.#noted;
  }

  note(): void {
    const ms = Math.round(this.#clock.elapsed() - this.#began - this.#waitedMs()) - this.#noted;
    if (ms <= 0 || this.#session.isLost()) return;
    this.#session.note({ t: 'usage', ms, block: this.#block });
    this.#noted += ms;
  }
}
