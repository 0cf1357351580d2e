import { createHash } from 'node:crypto';
import { action } from '../../kernel/action.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { CorruptSessionError, NotFoundError, SessionBusyError } from '../../kernel/errors.ts';
import { type MakeId, sortableIds } from '../../kernel/ids.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { Budget } from '../../manifest/definition.ts';
import type { BlockId, ResolvedManifest } from '../../manifest/resolved.ts';
import type { ExecutionPayload } from '../../manifest/segment.ts';
import { isAlive, ownIdentity } from '../../process/identity.ts';
import { apply } from './apply.ts';
import { afterInterruption } from './apply-progress.ts';
import { endLeftovers } from './end-leftovers.ts';
import { FileStore } from './files/file-store.ts';
import type { Disk } from './files/session-folder.ts';
import { asPast } from './fork-records.ts';
import { MemoryStore } from './memory-store.ts';
import type { Owner } from './owner.ts';
import { type LoadedSession, type Projection, project, type WorkflowSession } from './projection.ts';
import type { JournalRecord, TaskLink } from './record.ts';
import { isHeldHere, Session } from './session.ts';
import type { SessionState } from './session-state.ts';
import { endOfStep } from './step-position.ts';
import type { SessionStore, StoredSession } from './store.ts';

export interface NewSession {
  readonly manifest: ResolvedManifest;
  readonly start: BlockId;
  readonly goal: string;
  readonly inputs: JsonObject;
  readonly task?: TaskLink;
  readonly config?: JsonObject;
  readonly payload: ExecutionPayload;
  readonly budget: Budget;
  readonly stepping: boolean;
  readonly worktree?: string;
  readonly files?: string;
  readonly workflow?: string;
  readonly id?: string;
}

export interface Snapshot {
  readonly session: LoadedSession;
  readonly state: SessionState;
  readonly manifest: ResolvedManifest;
  /** Whether the process that owns it still runs. */
  readonly ownerAlive: boolean;
}

/** A session as a list shows it. */
export interface SessionSummary extends WorkflowSession {
  /** Whether the process that owns it still runs. */
  readonly ownerAlive: boolean;
}

/**
 * Persistence of sessions. Invariants:
 * 1. At most one process owns a session; owning is having claimed its newest epoch.
 * 2. A session is taken from a living owner only when the caller says so.
 * 3. Before interrupted work is run again, what its old owner had started is ended.
 */
export class SessionManager {
  readonly #store: SessionStore;
  readonly #clock: Clock;
  readonly #newId: MakeId;
  readonly #owner: Owner = ownIdentity();

  constructor(store: SessionStore, options: { clock?: Clock; ids?: MakeId } = {}) {
    this.#store = store;
    this.#clock = options.clock ?? systemClock;
    this.#newId = options.ids ?? sortableIds();
  }

  static onDisk(root: string, options: { disk?: Disk; clock?: Clock; ids?: MakeId } = {}): SessionManager {
    return new SessionManager(new FileStore(root, options.disk), options);
  }

  static inMemory(options: { clock?: Clock; ids?: MakeId } = {}): SessionManager {
    return new SessionManager(new MemoryStore(), options);
  }

  create(wanted: NewSession): Session {
    const { manifest, id = this.#newId(), ...rest } = wanted;
    this.#store.create(id, manifest);
    const claim = this.#store.claim(id, 0, { owner: this.#owner, at: this.#clock.now() });
    const created: JournalRecord = {
      t: 'created',
      ...rest,
      id,
      digest: digestOf(manifest),
      at: this.#clock.now(),
    };
    claim.append(created, { flush: true });
    const state = fold([created], id);
    return new Session({ manifest, owner: this.#owner, claim, clock: this.#clock, state });
  }

  /** Takes ownership of a stored session, so that it can be continued. */
  async open(id: string, options: { takeOver?: boolean } = {}): Promise<Session> {
    const stored = this.#stored(id);
    if (!options.takeOver && this.#isOwned(id, stored)) throw busy(id, stored.owner);
    const at = this.#clock.now();
    const claim = this.#store.claim(id, stored.epoch, { owner: this.#owner, at });
    const state = fold(claim.records, id);
    await endLeftovers(state);
    const tasks = afterInterruption(state.tasks);
    return new Session({
      manifest: stored.manifest,
      owner: this.#owner,
      claim,
      clock: this.#clock,
      state: { ...state, tasks },
    });
  }

  /** Takes a session back to the end of a step; what came later stays in its files, but counts no more. */
  async rewind(id: string, step: number): Promise<Session> {
    const stored = this.#stored(id);
    if (this.#isOwned(id, stored)) throw busy(id, stored.owner);
    await endLeftovers(fold(stored.records, id));
    const at = this.#clock.now();
    const claim = this.#store.claim(id, stored.epoch, { owner: this.#owner, at, upToStep: step });
    const state = fold(claim.records, id);
    const session = new Session({
      manifest: stored.manifest,
      owner: this.#owner,
      claim,
      clock: this.#clock,
      state,
    });
    const last = state.trail.findLast((entry) => entry.ran)?.block ?? null;
    const halt = {
      reason: 'rewound',
      message: `back at the end of step ${step}`,
      block: last,
      resumeAt: state.at,
    } as const;
    session.record({ t: 'rewound', halt, at });
    return session;
  }

  /** A new session that begins with what another one was at the end of a step; it waits to be resumed. */
  fork(id: string, step: number, options: { id?: string; worktree?: string; files?: string } = {}): string {
    const stored = this.#stored(id);
    const records = stored.records.slice(0, endOfStep(stored.records, step));
    const created = records.find((record) => record.t === 'created');
    if (!created) throw new CorruptSessionError(`The journal of session ${id} has no beginning.`);
    const at = this.#clock.now();
    const forkId = options.id ?? this.#newId();
    this.#store.create(forkId, stored.manifest);
    const claim = this.#store.claim(forkId, 0, { owner: this.#owner, at });
    const { worktree = created.worktree, files = created.files } = options;
    claim.append(
      {
        ...created,
        id: forkId,
        at,
        ...(worktree === undefined ? {} : { worktree }),
        ...(files === undefined ? {} : { files }),
      },
      { flush: false },
    );
    for (const record of records.flatMap(asPast)) claim.append(record, { flush: false });
    claim.append({ t: 'released' }, { flush: true });
    claim.close();
    return forkId;
  }

  /** A session that came from another clone works in another folder. */
  async moveTo(id: string, worktree: string): Promise<void> {
    if (this.load(id).state.worktree === worktree) return;
    const session = await this.open(id);
    try {
      session.record({ t: 'moved', worktree });
    } finally {
      session.release();
    }
  }

  /** A fresh id, for what is prepared before its session exists. */
  newId(): string {
    return this.#newId();
  }

  /** The records that count and the manifest they belong to, without owning the session. */
  records(id: string): Pick<StoredSession, 'manifest' | 'records'> {
    return this.#stored(id);
  }

  /** Reads a session without owning it. */
  load(id: string): Snapshot {
    const stored = this.#stored(id);
    const state = fold(stored.records, id);
    const view = project(stored.manifest, state, stored);
    return {
      session: { ...view, history: [...state.said] },
      state,
      manifest: stored.manifest,
      ownerAlive: this.#isOwned(id, stored),
    };
  }

  /**
   * What a list shows of a session, from the small projection: the journal is read only where that is missing or was
   * left behind by an owner that died, and then once. A living owner publishes what matters at once.
   */
  summary(id: string): SessionSummary {
    const published = this.#store.projection(id);
    const ownerAlive = published !== undefined && this.#isOwned(id, published.said);
    if (published && (published.current || ownerAlive)) return summaryOf(published.said, ownerAlive);
    const stored = this.#stored(id);
    return summaryOf(this.#projected(id, stored), this.#isOwned(id, stored));
  }

  #projected(id: string, stored: StoredSession): Projection {
    const state = fold(stored.records, id);
    const { epoch, bytes, released } = stored;
    const projection = { ...project(stored.manifest, state, stored), journal: { epoch, bytes }, released };
    if (!this.#isOwned(id, stored)) this.#store.republish(id, projection);
    return projection;
  }

  /** Ids of all session folders, oldest first; one that died before its first record cannot be loaded. */
  ids(): readonly string[] {
    return this.#store.ids();
  }

  remove(id: string): void {
    this.#store.remove(id);
  }

  #isOwned(
    id: string,
    { released, owner, epoch }: Pick<StoredSession, 'released' | 'owner' | 'epoch'>,
  ): boolean {
    if (released) return false;
    const here = owner.pid === this.#owner.pid && owner.startTime === this.#owner.startTime;
    return here ? isHeldHere(id, epoch) : isAlive(owner);
  }

  #stored(id: string): StoredSession {
    const stored = this.#store.read(id);
    if (!stored) {
      throw new NotFoundError(`There is no session ${id}.`, { next: action('session.list', 'List them') });
    }
    const created = stored.records.find((record) => record.t === 'created');
    if (created && created.digest !== digestOf(stored.manifest)) {
      throw new CorruptSessionError(`The manifest of session ${id} is not the one it was started with.`, {
        next: 'Restore its manifest.json, or start a new session with the changed workflow.',
      });
    }
    return stored;
  }
}

function summaryOf(projection: Projection, ownerAlive: boolean): SessionSummary {
  const { journal: _journal, released: _released, ...session } = projection;
  return { ...session, ownerAlive };
}

function fold(records: readonly JournalRecord[], id: string): SessionState {
  let state: SessionState | undefined;
  for (const record of records) state = apply(state, record);
  if (!state) throw new CorruptSessionError(`The journal of session ${id} has no beginning.`);
  return state;
}

function digestOf(manifest: ResolvedManifest): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
}

function busy(id: string, owner: Owner): SessionBusyError {
  return new SessionBusyError(`Session ${id} is being run by process ${owner.pid} on ${owner.host}.`, {
    next: action('session.resume', 'Wait for it, end it, or take it over', { session: id, takeOver: true }),
  });
}
