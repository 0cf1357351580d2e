import { join } from 'node:path';
import { type Extended, StepIndex } from '../../orchestrator/state/files/step-index.ts';

/** So many are kept of those that nobody looks at. */
const MOST = 30;

/** The indexes of the sessions that were looked at last. */
export class StepIndexes {
  readonly #root: string;
  /** The longest unused first. */
  readonly #indexes = new Map<string, StepIndex>();
  readonly #held = new Map<string, number>();

  constructor(root: string) {
    this.#root = root;
  }

  get bytes(): number {
    return [...this.#indexes.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get count(): number {
    return this.#indexes.size;
  }

  sizeOf(id: string): number {
    return this.#indexes.get(id)?.size ?? 0;
  }

  /** The index of a session with all that its journal has now. */
  extended(id: string): { readonly index: StepIndex; readonly extended: Extended } {
    const index = this.#indexes.get(id) ?? new StepIndex(join(this.#root, id));
    this.#indexes.delete(id);
    const extended = index.extend();
    if (!extended.removed) this.#indexes.set(id, index);
    this.#letGo();
    return { index, extended };
  }

  hold(id: string): void {
    this.#held.set(id, (this.#held.get(id) ?? 0) + 1);
  }

  release(id: string): void {
    const left = (this.#held.get(id) ?? 1) - 1;
    if (left > 0) this.#held.set(id, left);
    else this.#held.delete(id);
  }

  forget(id: string): void {
    this.#indexes.delete(id);
  }

  #letGo(): void {
    for (const id of this.#indexes.keys()) {
      if (this.#indexes.size <= MOST) return;
      if (!this.#held.has(id)) this.#indexes.delete(id);
    }
  }
}
