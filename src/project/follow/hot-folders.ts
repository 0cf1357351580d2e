import { type FSWatcher, watch } from 'node:fs';
import { errorCode } from '../../kernel/errors.ts';

/** The system has a limit of its own; what is beyond this is found by looking. */
const MOST = 128;

/** Calls back soon after something in one of its folders has changed, once for many changes. */
export class HotFolders {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #dirty = new Set<string>();
  readonly #onChange: (folder: string) => void;
  #scheduled: NodeJS.Immediate | undefined;

  constructor(onChange: (folder: string) => void) {
    this.#onChange = onChange;
  }

  /** False where the system does not tell: whoever asked has to look more often. */
  add(folder: string): boolean {
    if (this.#watchers.has(folder)) return true;
    if (this.#watchers.size >= MOST) return false;
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#changed(folder));
      watcher.on('error', () => this.remove(folder));
      this.#watchers.set(folder, watcher);
      return true;
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return false;
    }
  }

  has(folder: string): boolean {
    return this.#watchers.has(folder);
  }

  remove(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  close(): void {
    for (const folder of this.#watchers.keys()) this.remove(folder);
    clearImmediate(this.#scheduled);
  }

  #changed(folder: string): void {
    this.#dirty.add(folder);
    this.#scheduled ??= setImmediate(() => {
      this.#scheduled = undefined;
      const dirty = [...this.#dirty];
      this.#dirty.clear();
      for (const each of dirty) this.#onChange(each);
    });
  }
}
