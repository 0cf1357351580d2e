import { errorCode, errorMessage, LoopwrightError, StorageError } from '../kernel/errors.ts';

const OF_STORAGE = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM']);

/** What the system says about a file it would not read or write, as one of our errors; undefined for anything else. */
export function storageProblem(error: unknown): StorageError | undefined {
  if (error instanceof LoopwrightError || !(error instanceof Error) || !('path' in error)) return undefined;
  if (!OF_STORAGE.has(errorCode(error) ?? '') || isAboutProgram(error)) return undefined;
  return new StorageError(`The state of the project cannot be kept: ${errorMessage(error)}`, {
    next: 'Make room, or correct the permissions of the folder, and try again.',
    cause: error,
  });
}

/** A program that may not be run has such a code too. */
function isAboutProgram(error: Error): boolean {
  return 'syscall' in error && String(error.syscall).startsWith('spawn');
}
