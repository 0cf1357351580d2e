import { type FSWatcher, watch } from 'node:fs';
import { errorCode } from '../../../kernel/errors.ts';

/** A look now and then, for file systems that do not report changes; more often where none is reported. */
const LOOK_EVERY_MS = 250;
const LOOK_OFTEN_MS = 100;

/** Waits until something in a folder may have changed. */
export class FolderWatch {
  readonly #stop: AbortSignal | undefined;
  #watcher: FSWatcher | undefined;
  #turn = 0;
  #wake: (() => void) | undefined;
  readonly #onStop = (): void => this.#wake?.();

  constructor(folder: string, stop?: AbortSignal) {
    this.#stop = stop;
    stop?.addEventListener('abort', this.#onStop);
    try {
      this.#watcher = watch(folder, { persistent: false }, () => this.#changed());
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch (error) {
      // No folder, or no more watches to be had: the look now and then finds out.
      if (errorCode(error) === undefined) throw error;
    }
  }

  /** Asked before looking: what changes from then on ends the next wait at once. */
  turn(): number {
    return this.#turn;
  }

  /** Resolves with false when it was stopped. */
  async next(seen: number): Promise<boolean> {
    if (this.#turn !== seen || this.#stop?.aborted) return this.#stop?.aborted !== true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#watcher ? LOOK_EVERY_MS : LOOK_OFTEN_MS);
      const done = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.#wake = done;
    });
    this.#wake = undefined;
    return this.#stop?.aborted !== true;
  }

  close(): void {
    this.#watcher?.close();
    this.#stop?.removeEventListener('abort', this.#onStop);
  }

  #changed(): void {
    this.#turn++;
    this.#wake?.();
  }
}
