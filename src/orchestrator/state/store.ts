import type { ResolvedManifest } from '../../manifest/resolved.ts';
import type { Owner } from './owner.ts';
import type { Projection } from './projection.ts';
import type { JournalRecord } from './record.ts';

/**
 * Where sessions are kept. Both implementations give the same promise: an epoch is claimed by exactly one
 * owner, and what an owner appends after the next epoch was claimed does not count.
 */
export interface SessionStore {
  create(id: string, manifest: ResolvedManifest): void;
  /** The stored session, or undefined when there is none (or it died before its first record). */
  read(id: string): StoredSession | undefined;
  /** A manifest that the session ran on, by its digest; the one it was started with where none is named. */
  manifest(id: string, digest?: string): ResolvedManifest;
  /** Keeps another manifest for the session beside the one it was started with. */
  keepManifest(id: string, digest: string, manifest: ResolvedManifest): void;
  /** Claims the next epoch; throws `SessionBusyError` when another process got it first. */
  claim(id: string, after: number, claim: NewClaim): JournalClaim;
  /** What the newest owner published last; undefined where there is nothing that could be used. */
  projection(id: string): PublishedProjection | undefined;
  /** Publishes what was found out by reading the journal, for the next reader; unless somebody owns the session again. */
  republish(id: string, projection: Projection): void;
  ids(): readonly string[];
  remove(id: string): void;
}

export interface PublishedProjection {
  readonly said: Projection;
  /** Nothing was written to the journal since. */
  readonly current: boolean;
}

export interface NewClaim {
  readonly owner: Owner;
  readonly at: number;
  /** Only what was written up to the end of this step counts from now on. */
  readonly upToStep?: number;
}

export interface StoredSession {
  readonly epoch: number;
  readonly owner: Owner;
  readonly released: boolean;
  /** How much of the newest epoch was read. */
  readonly bytes: number;
  readonly manifest: ResolvedManifest;
  readonly records: readonly JournalRecord[];
}

export interface JournalClaim {
  readonly epoch: number;
  /** Everything that counted before this epoch, read after it was claimed. */
  readonly records: readonly JournalRecord[];
  append(record: JournalRecord, options: { flush: boolean }): void;
  /** The length of this epoch's journal. */
  bytes(): number;
  isLost(): boolean;
  /** Calls back once when another process takes the session over. */
  onLost(listener: () => void): void;
  /** Publishes the small readable projection of the session. */
  publish(projection: string): void;
  /** The key to the socket of the owner: for whoever can read the session, and in nothing that is shown. */
  keepKey(key: string): void;
  /** A new file for what a process of this step prints. */
  logFile(step: number, name: string): string | undefined;
  close(): void;
}

/** A place in the journal of a session: so many bytes of the file of that epoch. */
export interface JournalPosition {
  readonly epoch: number;
  readonly offset: number;
}
