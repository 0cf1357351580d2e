/**
 * Every error a user can meet. A message says what happened and to what; `next` says what to do about it.
 * Subclasses are named by consequence, so a caller decides by class, never by text.
 */
export class LoopwrightError extends Error {
  readonly next: string | undefined;

  constructor(message: string, options: { next?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.next = options.next;
  }
}

/** The caller asked for something that cannot be; nothing was started. */
export class UsageError extends LoopwrightError {}

/** Another process owns the session now: this one must stop and write nothing more. */
export class OwnershipLostError extends LoopwrightError {}

/** The session is owned by a living process; nothing was changed. */
export class SessionBusyError extends LoopwrightError {}

/** A stored session cannot be read; the file and, where there is one, the line are named. */
export class CorruptSessionError extends LoopwrightError {}

/** Storage refused a write: full disk, read-only folder. The last flushed step stands. */
export class StorageError extends LoopwrightError {}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system's code of an I/O error (`ENOENT`), if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
