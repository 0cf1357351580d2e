import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import { ownGitFolder } from '../../process/own-git-folder.ts';

const FOLDER = 'indexes';
const NAME = /^index-(\d+)-[0-9a-f]+(\.lock)?$/;

/**
 * The file that a private index is kept in: inside the worktree's own git directory, so it goes with it.
 * Every process works on its own copy, so a lock left by a killed git never stands in the way and a git that
 * outlived its starter writes where nobody looks. Each is only a cache: losing one costs time, never content.
 */
export class IndexFile {
  readonly path: string;
  readonly #folder: string;

  constructor(gitDir: string) {
    this.#folder = join(ownGitFolder(gitDir), FOLDER);
    this.path = join(this.#folder, `index-${process.pid}-${randomBytes(6).toString('hex')}`);
  }

  /** Changes whenever git has written the file. Undefined when there is none. */
  identity(): string | undefined {
    return fileIdentity(this.path);
  }

  /** Starts from what an earlier process left, else from the given index; false when there is neither. */
  async seed(index: string): Promise<boolean> {
    await mkdir(this.#folder, { recursive: true });
    const names = (await readdir(this.#folder)).filter((name) => join(this.#folder, name) !== this.path);
    const kept = await this.#newest(names.filter((name) => NAME.exec(name)?.[2] === undefined));
    const seeded =
      (kept !== undefined && (await copyKeepingDate(kept, this.path))) ||
      (await copyKeepingDate(index, this.path));
    const left = names.filter((name) => !isRunning(Number(NAME.exec(name)?.[1])));
    await Promise.all(left.map((name) => rm(join(this.#folder, name), { force: true })));
    return seeded;
  }

  /** Puts a copy in the place of another index, at once or not at all; false when somebody is writing that one. */
  async copyOver(index: string): Promise<boolean> {
    if (statSync(`${index}.lock`, { throwIfNoEntry: false })) return false;
    const draft = `${index}-${randomBytes(6).toString('hex')}`;
    if (!(await copyKeepingDate(this.path, draft))) return false;
    await rename(draft, index);
    return true;
  }

  /** Forgets everything, also what earlier processes left. */
  async drop(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #newest(names: readonly string[]): Promise<string | undefined> {
    const dated = await Promise.all(
      names.map(async (name) => ({ path: join(this.#folder, name), date: await dateOf(this.#folder, name) })),
    );
    return dated.sort((a, b) => b.date - a.date)[0]?.path;
  }
}

/** Synchronous: it is asked for at every checkpoint, and a turn through the thread pool costs ten times as much. */
export function fileIdentity(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}

/** A number that was given to another process by now only delays the sweeping. */
function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/**
 * Git trusts an entry whose file is older than the index; a copy with a newer date would make it trust files
 * that were changed in the instant the index was written. So the copy is never dated later than its source.
 */
async function copyKeepingDate(from: string, to: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(from);
    await copyFile(from, to);
    const date = Math.floor(mtimeMs) / 1000;
    await utimes(to, date, date);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

async function dateOf(folder: string, name: string): Promise<number> {
  try {
    return (await stat(join(folder, name))).mtimeMs;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}
