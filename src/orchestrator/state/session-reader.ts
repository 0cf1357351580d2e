import { createHash } from 'node:crypto';
import { action } from '../../kernel/action.ts';
import { CorruptSessionError, NotFoundError } from '../../kernel/errors.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import { isAlive } from '../../process/identity.ts';
import { correctedDigest } from './corrected-digest.ts';
import { fold } from './fold.ts';
import type { Owner } from './owner.ts';
import { type LoadedSession, type Projection, project, type WorkflowSession } from './projection.ts';
import { isHeldHere } from './session.ts';
import type { SessionState } from './session-state.ts';
import type { SessionStore, StoredSession } from './store.ts';

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

/** Reads stored sessions without owning them. */
export class SessionReader {
  readonly #store: SessionStore;
  readonly #owner: Owner;

  /** `owner`: this process. */
  constructor(store: SessionStore, owner: Owner) {
    this.#store = store;
    this.#owner = owner;
  }

  load(id: string): Snapshot {
    const stored = this.stored(id);
    const state = fold(stored.records, id);
    const view = project(stored.manifest, state, stored);
    return {
      session: { ...view, history: [...state.said] },
      state,
      manifest: stored.manifest,
      ownerAlive: this.isOwned(id, stored),
    };
  }

  /**
   * What a list shows of a session, from the small projection: the journal is read only where that is missing or was
   * left behind by an owner that died, and then once. A living owner publishes what matters at once.
   */
  summary(id: string): SessionSummary {
    const published = this.#store.projection(id);
    const ownerAlive = published !== undefined && this.isOwned(id, published.said);
    if (published && (published.current || ownerAlive)) return summaryOf(published.said, ownerAlive);
    const stored = this.stored(id);
    return summaryOf(this.#projected(id, stored), this.isOwned(id, stored));
  }

  #projected(id: string, stored: StoredSession): Projection {
    const state = fold(stored.records, id);
    const { epoch, bytes, released } = stored;
    const projection = { ...project(stored.manifest, state, stored), journal: { epoch, bytes }, released };
    if (!this.isOwned(id, stored)) this.#store.republish(id, projection);
    return projection;
  }

  isOwned(
    id: string,
    { released, owner, epoch }: Pick<StoredSession, 'released' | 'owner' | 'epoch'>,
  ): boolean {
    if (released) return false;
    const here = owner.pid === this.#owner.pid && owner.startTime === this.#owner.startTime;
    return here ? isHeldHere(id, epoch) : isAlive(owner);
  }

  stored(id: string): StoredSession {
    const stored = this.#store.read(id);
    if (!stored) {
      throw new NotFoundError(`There is no session ${id}.`, { next: action('session.list', 'List them') });
    }
    const created = stored.records.find((record) => record.t === 'created');
    const digest = correctedDigest(stored.records) ?? created?.digest;
    if (created && digest !== digestOf(stored.manifest)) {
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

export function digestOf(manifest: ResolvedManifest): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
}
