import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { advise } from '../../kernel/action.ts';
import { LoopwrightError } from '../../kernel/errors.ts';
import { bytes } from '../../kernel/words.ts';

/** A file that git would read and store for minutes, however little of it is on the disk. */
export class TooLargeError extends LoopwrightError {}

export interface SizeLimits {
  readonly bytes: number;
  /** Looking at every file costs time of its own: it begins only when git takes longer than this. */
  readonly afterMs: number;
}

const USUAL: SizeLimits = { bytes: 2 * 1024 ** 3, afterMs: 3000 };

/**
 * Gives what git is run with, and ends it once a file is found that is too large to be kept. `isLeftOut` says what git
 * would not read anyway.
 */
export async function withSizeLimit<T>(
  root: string,
  isLeftOut: (path: string) => Promise<boolean>,
  act: (signal: AbortSignal) => Promise<T>,
  limits: SizeLimits = USUAL,
): Promise<T> {
  const found = new AbortController();
  let over = false;
  const look = async () => {
    for await (const { path, size } of filesBelow(root, () => over)) {
      if (size > limits.bytes && !(await isLeftOut(path))) return found.abort(tooLarge(path, size, limits));
    }
  };
  // What cannot be looked at is git's to complain of.
  const timer = setTimeout(() => void look().catch(() => undefined), limits.afterMs);
  try {
    return await act(found.signal);
  } finally {
    over = true;
    clearTimeout(timer);
  }
}

async function* filesBelow(
  root: string,
  over: () => boolean,
): AsyncGenerator<{ readonly path: string; readonly size: number }> {
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined && !over(); folder = folders.pop()) {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== '.git') folders.push(path);
      else if (entry.isFile()) yield { path, size: (await lstat(join(root, path))).size };
    }
  }
}

function tooLarge(path: string, size: number, limits: SizeLimits): TooLargeError {
  return new TooLargeError(
    `${path} is too large to be kept: ${bytes(size)}, and at most ${bytes(limits.bytes)} can be.`,
    { next: advise(`Delete it, or name it in .gitignore; then continue.`) },
  );
}
