import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere } from '../../../process/if-there.ts';
import { readSnapshot, storeSnapshot, writeWhole } from '../../../workspace/snapshot/stored-snapshot.ts';
import type { FileStamp, Snapshot } from '../../../workspace/snapshot/take-snapshot.ts';
import type { GitControl } from './git-control.ts';

/** Which run a task's files were last looked at for, and the session it was. */
export interface LastRun {
  readonly run: string;
  readonly session: string;
}

/** Stamps of the files that a run left changed; null where it removed one. */
export type LeftBehind = ReadonlyMap<string, FileStamp | null>;

/** What is kept of direct runs: `.loopwright/runs/<run>/`, and per task the run that began last. */
export class RunFolders {
  readonly #home: string;

  constructor(stateDir: string) {
    this.#home = join(stateDir, 'runs');
  }

  async lastRun(taskId: string): Promise<LastRun | undefined> {
    const text = await readIfThere(this.#pointer(taskId));
    if (text === undefined) return undefined;
    const { run, session } = JSON.parse(text) as { readonly [key: string]: unknown };
    // It becomes the name of a folder, which is removed when the task has ended.
    return typeof run === 'string' && /^[\w-]+$/.test(run) && typeof session === 'string'
      ? { run, session }
      : undefined;
  }

  before(run: string): Promise<Snapshot | undefined> {
    return readSnapshot(join(this.#home, run, 'before.json'));
  }

  /** The copy of a file as it was before the run. */
  copyOf(run: string, path: string): string {
    return join(this.#home, run, 'before', path);
  }

  /** Where the checks of the run are looked at; it goes with the rest of the run. */
  inspectionOf(run: string): string {
    return join(this.#home, run, 'inspection');
  }

  /** The beginning counts once the task points to it; after a kill before that it starts again. */
  async begin(
    taskId: string,
    last: LastRun,
    { before, control }: { readonly before: Snapshot; readonly control: GitControl },
    keepCopies: () => Promise<void>,
  ): Promise<void> {
    const folder = join(this.#home, last.run);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await keepCopies();
    await storeSnapshot(join(folder, 'before.json'), before);
    await writeWhole(join(folder, 'git-before.json'), JSON.stringify(control));
    await writeWhole(this.#pointer(taskId), JSON.stringify(last));
  }

  /** A file was put back: from now on it counts as it is. */
  async amend(run: string, before: Snapshot, stamps: ReadonlyMap<string, FileStamp>): Promise<void> {
    const files = new Map([...before.files, ...stamps]);
    await storeSnapshot(join(this.#home, run, 'before.json'), { ...before, files });
  }

  /** How git was steered before a run, and when it ended; nothing where that was never noted. */
  async control(run: string, when: 'before' | 'after'): Promise<GitControl | undefined> {
    const text = await readIfThere(join(this.#home, run, `git-${when}.json`));
    return text === undefined ? undefined : (JSON.parse(text) as GitControl);
  }

  async leave(run: string, left: LeftBehind, control: GitControl): Promise<void> {
    await writeWhole(join(this.#home, run, 'git-after.json'), JSON.stringify(control));
    await writeWhole(join(this.#home, run, 'after.json'), JSON.stringify([...left]));
  }

  /** Undefined when the run was never ended properly. */
  async leftBehind(run: string): Promise<LeftBehind | undefined> {
    const text = await readIfThere(join(this.#home, run, 'after.json'));
    return text === undefined ? undefined : new Map(JSON.parse(text));
  }

  /** The task has ended: nothing will be compared or put back from now on. */
  async forget(taskId: string): Promise<void> {
    const last = await this.lastRun(taskId);
    await rm(this.#pointer(taskId), { force: true });
    if (last) await rm(join(this.#home, last.run), { recursive: true, force: true });
  }

  #pointer(taskId: string): string {
    return join(this.#home, `task-${taskId}.json`);
  }
}
