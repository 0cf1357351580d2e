import type { ContextSegment } from '../../manifest/segment.ts';

/** Why a session has to wait, in words for a person. */
export interface Waiting {
  readonly message: string;
  readonly sessions: readonly string[];
}

/** Lets a session run only while nobody else changes the files it means to change. */
export interface AdmissionPort {
  /**
   * Resolves when it is the session's turn; false when `cancel` came first. `moved`: the files, which nobody has
   * worked on yet, were brought up to date. `made`: they were made only now, with what a worker should know of them.
   */
  turn(
    session: string,
    wait: { cancel: AbortSignal; onWait: (waiting: Waiting) => void },
  ): Promise<boolean | 'moved' | { readonly made: readonly ContextSegment[] }>;
  /** The session has ended and no longer stands in anybody's way. */
  leave(session: string): Promise<void>;
}
