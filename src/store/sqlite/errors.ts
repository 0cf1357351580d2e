import {
  errorCode,
  errorMessage,
  LoopwrightError,
  StorageError,
  type StorageReason,
} from '../../kernel/errors.ts';

/** Turns what the database says into what happened, to which file, and what to do. */
export function databaseError(file: string, error: unknown): unknown {
  if (error instanceof LoopwrightError) return error;
  const said = `${errorCode(error) ?? ''} ${errorMessage(error)}`;
  if (/NOTADB|CORRUPT|malformed|not a database/i.test(said)) {
    return new StorageError(`${file} is damaged: ${errorMessage(error)}`, {
      next: `Move it aside (mv "${file}" "${file}.damaged") and run the command again: sessions are kept in their own folders, and only plans and the backlog are lost.`,
      reason: 'damaged',
      cause: error,
    });
  }
  if (/BUSY|LOCKED|database is locked/i.test(said)) {
    return new StorageError(`${file} is locked by another process for too long.`, {
      next: 'Find out who holds it (`fuser` or `lsof`), then run the command again. Nothing was changed.',
      reason: 'locked',
      cause: error,
    });
  }
  if (/FULL|disk is full|IOERR|CANTOPEN|READONLY|readonly|unable to open/i.test(said)) {
    return new StorageError(`${file} cannot be written: ${errorMessage(error)}`, {
      next: 'See that the disk has room and the folder is writable, then run the command again.',
      reason: writeReason(said),
      cause: error,
    });
  }
  return error;
}

function writeReason(said: string): StorageReason {
  if (/FULL|disk is full/i.test(said)) return 'full';
  return /READONLY|readonly/i.test(said) ? 'read-only' : 'other';
}
