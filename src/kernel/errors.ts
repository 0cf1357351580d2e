import { type Action, advise } from './action.ts';

/** What a face needs to know to answer: an exit code, an HTTP status, a colour. */
export const PROBLEM_KINDS = [
  'not-found',
  'conflict',
  'invalid',
  'busy',
  'denied',
  'storage',
  'internal',
] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

export interface ErrorOptions {
  /** A sentence is advice; an action can be carried out by whoever shows it. */
  readonly next?: string | Action;
  readonly cause?: unknown;
}

/**
 * Every error a user can meet. A message says what happened and to what; `next` says what to do about it.
 * Subclasses are named by consequence, so a caller decides by class or kind, never by text.
 */
export class LoopwrightError extends Error {
  readonly kind: ProblemKind = 'internal';
  readonly next: Action | undefined;

  constructor(message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.next = typeof options.next === 'string' ? advise(options.next) : options.next;
  }
}

/** The caller asked for something that cannot be; nothing was started. */
export class UsageError extends LoopwrightError {
  override readonly kind: ProblemKind = 'invalid';
}

/** What was named does not exist. */
export class NotFoundError extends UsageError {
  override readonly kind = 'not-found';
}

/** It exists, but its state does not allow what was asked. */
export class ConflictError extends UsageError {
  override readonly kind = 'conflict';
}

/** It could be done, but not by whoever asked. */
export class DeniedError extends UsageError {
  override readonly kind = 'denied';
}

/** Another process owns the session now: this one must stop and write nothing more. */
export class OwnershipLostError extends LoopwrightError {
  override readonly kind = 'conflict';
}

/** The session is owned by a living process; nothing was changed. */
export class SessionBusyError extends LoopwrightError {
  override readonly kind = 'busy';
}

/** A stored session cannot be read; the file and, where there is one, the line are named. */
export class CorruptSessionError extends LoopwrightError {
  override readonly kind = 'storage';
}

/** What stands in the way of reading or writing; only `full` and `locked` can pass by themselves. */
export type StorageReason = 'full' | 'read-only' | 'no-rights' | 'locked' | 'damaged' | 'other';

/** Storage refused a write: full disk, read-only folder. The last flushed step stands. */
export class StorageError extends LoopwrightError {
  override readonly kind = 'storage';
  readonly reason: StorageReason;

  /** Without a `reason` it is the one that the system's code of the cause means. */
  constructor(message: string, options: ErrorOptions & { readonly reason?: StorageReason } = {}) {
    super(message, options);
    this.reason = options.reason ?? REASONS[errorCode(options.cause) ?? ''] ?? 'other';
  }
}

const REASONS: { readonly [code: string]: StorageReason } = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EACCES: 'no-rights',
  EPERM: 'no-rights',
};

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system's code of an I/O error (`ENOENT`), if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
