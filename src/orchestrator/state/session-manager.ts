import { action } from '../../kernel/action.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { LoopwrightError, SessionBusyError } from '../../kernel/errors.ts';
import { type MakeId, sortableIds } from '../../kernel/ids.ts';
import { shortId } from '../../kernel/short-ids.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import { ownIdentity } from '../../process/identity.ts';
import { adoptedBudget, refuseLostPlace } from './adopt.ts';
import { afterInterruption } from './apply-progress.ts';
import { conversationsAt } from './conversations.ts';
import { correctedDigest } from './corrected-digest.ts';
import { agentsAtWork, endLeftovers } from './end-leftovers.ts';
import { FileStore } from './files/file-store.ts';
import type { Disk } from './files/session-folder.ts';
import { fold } from './fold.ts';
import { forkRecords } from './fork-records.ts';
import { MemoryStore } from './memory-store.ts';
import type { Owner } from './owner.ts';
import type { CreatedRecord, ForkedFrom } from './record.ts';
import { Session } from './session.ts';
import { digestOf, SessionReader, type SessionSummary, type Snapshot } from './session-reader.ts';
import type { ManifestChange, SessionState } from './session-state.ts';
import { endOfStep } from './step-position.ts';
import type { JournalClaim, SessionStore, StoredSession } from './store.ts';

/** What a dead owner left behind. */
export interface Orphans {
  /** How many of its processes still ran. */
  readonly ended: number;
  /** The agents that its step had at work. */
  readonly agents: readonly string[];
}

export interface NewSession extends Omit<CreatedRecord, 't' | 'id' | 'digest' | 'at'> {
  readonly manifest: ResolvedManifest;
  readonly id?: string;
}

const TRIES = 10;

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
  readonly #reader: SessionReader;

  constructor(store: SessionStore, options: { clock?: Clock; ids?: MakeId } = {}) {
    this.#store = store;
    this.#clock = options.clock ?? systemClock;
    this.#newId = options.ids ?? sortableIds();
    this.#reader = new SessionReader(store, this.#owner);
  }

  static onDisk(root: string, options: { disk?: Disk; clock?: Clock; ids?: MakeId } = {}): SessionManager {
    return new SessionManager(new FileStore(root, options.disk), options);
  }

  static inMemory(options: { clock?: Clock; ids?: MakeId } = {}): SessionManager {
    return new SessionManager(new MemoryStore(), options);
  }

  create(wanted: NewSession): Session {
    const { manifest, id = this.newId(), ...rest } = wanted;
    this.#store.create(id, manifest);
    const claim = this.#store.claim(id, 0, { owner: this.#owner, at: this.#clock.now() });
    const created: CreatedRecord = {
      t: 'created',
      ...rest,
      id,
      digest: digestOf(manifest),
      at: this.#clock.now(),
    };
    claim.append(created, { flush: true });
    const state = fold([created], id);
    return this.#own(manifest, claim, state);
  }

  /** Takes ownership of a stored session, so that it can be continued. */
  async open(id: string, options: { takeOver?: boolean } = {}): Promise<Session> {
    const stored = this.#reader.stored(id);
    if (!options.takeOver && this.#reader.isOwned(id, stored)) throw busy(id, stored.owner);
    const at = this.#clock.now();
    const claim = this.#store.claim(id, stored.epoch, { owner: this.#owner, at });
    const state = fold(claim.records, id);
    await endLeftovers(state);
    const tasks = afterInterruption(state.tasks);
    return this.#own(stored.manifest, claim, { ...state, tasks });
  }

  /**
   * Ends what a dead owner left running, without taking its session up: an agent that nobody watches goes on spending.
   * Undefined where there is no dead owner of an interrupted step.
   */
  async endOrphans(id: string): Promise<Orphans | undefined> {
    const stored = this.#reader.stored(id);
    const state = fold(stored.records, id);
    if (state.status !== 'running' || this.#reader.isOwned(id, stored)) return undefined;
    return { ended: await endLeftovers(state, stored.epoch), agents: agentsAtWork(state) };
  }

  /** Takes a session back to the end of a step; what came later stays in its files, but counts no more. */
  async rewind(id: string, step: number): Promise<Session> {
    const stored = this.#reader.stored(id);
    if (this.#reader.isOwned(id, stored)) throw busy(id, stored.owner);
    const before = fold(stored.records, id);
    const conversations = conversationsAt(stored.records, endOfStep(stored.records, step), undefined);
    await endLeftovers(before);
    const at = this.#clock.now();
    const claim = this.#store.claim(id, stored.epoch, { owner: this.#owner, at, upToStep: step });
    const state = fold(claim.records, id);
    const manifest = this.#store.manifest(id, correctedDigest(claim.records));
    const session = this.#own(manifest, claim, state);
    const last = state.trail.findLast((entry) => entry.ran)?.block ?? null;
    const halt = {
      reason: 'rewound',
      message: `back at the end of step ${step}`,
      block: last,
      resumeAt: state.at,
    } as const;
    session.record({ t: 'rewound', halt, used: before.used, conversations, at });
    return session;
  }

  /** A new session that begins with what another one was at the end of a step; it waits to be resumed. */
  fork(id: string, step: number, options: { id?: string; worktree?: string; files?: string } = {}): string {
    const stored = this.#reader.stored(id);
    const at = this.#clock.now();
    const { id: forkId = this.newId(), ...place } = options;
    const records = forkRecords(stored.records, step, { id: forkId, from: id, at, ...place });
    const digest = correctedDigest(stored.records.slice(0, endOfStep(stored.records, step)));
    this.#store.create(forkId, this.#store.manifest(id, digest));
    const claim = this.#store.claim(forkId, 0, { owner: this.#owner, at });
    for (const record of records) claim.append(record, { flush: false });
    claim.append({ t: 'released' }, { flush: true });
    claim.close();
    return forkId;
  }

  /**
   * Lets a session go on with another manifest than before; its position must be in it. Undefined when it is the one
   * that it runs on already.
   */
  async adopt(id: string, manifest: ResolvedManifest): Promise<ManifestChange | undefined> {
    const digest = digestOf(manifest);
    const { state, manifest: old } = this.load(id);
    if (digest === state.digest) return undefined;
    refuseLostPlace(state, manifest);
    const session = await this.open(id);
    try {
      this.#store.keepManifest(id, digest, manifest);
      const budget = adoptedBudget(session.state.budget, old.budget, manifest.budget);
      const at = this.#clock.now();
      return session
        .record({ t: 'manifest', digest, before: session.state.digest, budget, at })
        .manifests.at(-1);
    } finally {
      session.release();
    }
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

  /** Whether a session, after a step of it, went on with a conversation or may have; also one that is gone. */
  wentOnWith(conversation: string, { session, step }: ForkedFrom, since: number): boolean {
    try {
      const { records } = this.#reader.stored(session);
      if (records.some((record) => record.t === 'rewound' && record.at > since)) return true;
      return conversationsAt(records, endOfStep(records, step), 'fork')[conversation] !== 'fork';
    } catch (error) {
      if (error instanceof LoopwrightError) return true;
      throw error;
    }
  }

  /** A fresh id, for what is prepared before its session exists. */
  newId(): string {
    const others = this.#store.ids();
    let id = this.#newId();
    // People name a session by its end: a new one does not end as another does.
    for (let tries = 0; tries < TRIES && shortId(id, others) !== shortId(id); tries++) id = this.#newId();
    return id;
  }

  /** The records that count and the manifest they belong to, without owning the session. */
  records(id: string): Pick<StoredSession, 'manifest' | 'records'> {
    return this.#reader.stored(id);
  }

  /** A manifest that a session ran on, by its digest; the one it was started with where none is named. */
  manifest(id: string, digest?: string): ResolvedManifest {
    return this.#store.manifest(id, digest);
  }

  /** Reads a session without owning it. */
  load(id: string): Snapshot {
    return this.#reader.load(id);
  }

  /** What a list shows of a session, from the small projection where that is up to date. */
  summary(id: string): SessionSummary {
    return this.#reader.summary(id);
  }

  /** Ids of all session folders, oldest first; one that died before its first record cannot be loaded. */
  ids(): readonly string[] {
    return this.#store.ids();
  }

  remove(id: string): void {
    this.#store.remove(id);
  }

  #own(manifest: ResolvedManifest, claim: JournalClaim, state: SessionState): Session {
    return new Session({ manifest, owner: this.#owner, claim, clock: this.#clock, state });
  }
}

function busy(id: string, owner: Owner): SessionBusyError {
  return new SessionBusyError(`Session ${id} is being run by process ${owner.pid} on ${owner.host}.`, {
    next: action('session.resume', 'Wait for it, end it, or take it over', { session: id, takeOver: true }),
  });
}
