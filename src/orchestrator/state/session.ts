import type { Clock } from '../../kernel/clock.ts';
import { CorruptSessionError, StorageError } from '../../kernel/errors.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import { apply } from './apply.ts';
import type { Owner } from './owner.ts';
import { type Projection, project, type WorkflowSession } from './projection.ts';
import type { JournalRecord, StatusChange } from './record.ts';
import type { SessionState } from './session-state.ts';
import type { JournalClaim, JournalPosition } from './store.ts';

/** A status changes what others wait for, so it is shown at once; mere progress at most this often. */
const PUBLISH_EVERY_MS = 100;

/** The epochs this process holds: being alive is not enough to own a session that it has let go of. */
const heldHere = new Set<string>();

export function isHeldHere(id: string, epoch: number): boolean {
  return heldHere.has(holdKey(id, epoch));
}

function holdKey(id: string, epoch: number): string {
  return `${epoch}@${id}`;
}

/**
 * A session this process owns. State changes only through `record`: first the journal, then the state, so the
 * state never runs ahead of what a crash would leave behind.
 */
export class Session {
  readonly manifest: ResolvedManifest;
  readonly owner: Owner;
  readonly #claim: JournalClaim;
  readonly #clock: Clock;
  #state: SessionState;
  #publishedAt = Number.NEGATIVE_INFINITY;
  #closed = false;
  #socket: string | undefined;

  constructor(init: {
    manifest: ResolvedManifest;
    owner: Owner;
    claim: JournalClaim;
    clock: Clock;
    state: SessionState;
  }) {
    this.manifest = init.manifest;
    this.owner = init.owner;
    this.#claim = init.claim;
    this.#clock = init.clock;
    this.#state = init.state;
    this.#publish();
    heldHere.add(this.#key);
  }

  get #key(): string {
    return holdKey(this.#state.id, this.#claim.epoch);
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Flushed: when this returns, a crash cannot undo it. */
  record(record: JournalRecord): SessionState {
    return this.#append(record, { flush: true });
  }

  /** Not flushed: survives the death of the process, not a power cut. */
  note(record: JournalRecord): SessionState {
    return this.#append(record, { flush: false });
  }

  changeStatus(change: StatusChange): SessionState {
    return this.record({ t: 'status', change, at: this.#clock.now() });
  }

  onLost(listener: () => void): void {
    this.#claim.onLost(listener);
  }

  isLost(): boolean {
    return this.#claim.isLost();
  }

  get epoch(): number {
    return this.#claim.epoch;
  }

  /** Where the journal ends now. */
  position(): JournalPosition {
    return { epoch: this.#claim.epoch, offset: this.#claim.bytes() };
  }

  /** Where this process can be reached, for others to read in `session.json`, with the key to it; undefined when no more. */
  reachableAt(at: { readonly path: string; readonly key: string } | undefined): void {
    if (at) this.#claim.keepKey(at.key);
    this.#socket = at?.path;
    this.#publish();
  }

  logFile(step: number, name: string): string | undefined {
    return this.#claim.logFile(step, name);
  }

  view(): WorkflowSession {
    return project(this.manifest, this.#state, {
      owner: this.owner,
      epoch: this.#claim.epoch,
      socket: this.#socket,
    });
  }

  /** Lets go: the session can be claimed by anyone. A session that was lost is only closed. */
  release(): void {
    if (this.#closed) return;
    this.#closed = true;
    heldHere.delete(this.#key);
    try {
      if (!this.#claim.isLost()) {
        this.#socket = undefined;
        this.#claim.append({ t: 'released' }, { flush: false });
        this.#publish({ released: true });
      }
    } catch (error) {
      // A disk that refuses this note refused the step before it, and that error is on its way already.
      if (!(error instanceof StorageError)) throw error;
    } finally {
      this.#claim.close();
    }
  }

  #append(record: JournalRecord, options: { flush: boolean }): SessionState {
    const next = apply(this.#state, record);
    if (!next)
      throw new CorruptSessionError(`A "${record.t}" record cannot follow in session ${this.#state.id}.`);
    this.#claim.append(record, options);
    const visible = next.status !== this.#state.status || next.tasks !== this.#state.tasks;
    this.#state = next;
    if (visible || this.#clock.elapsed() - this.#publishedAt > PUBLISH_EVERY_MS) this.#publish();
    return next;
  }

  #publish({ released } = { released: false }): void {
    this.#publishedAt = this.#clock.elapsed();
    const journal = { epoch: this.#claim.epoch, bytes: this.#claim.bytes() };
    const projection: Projection = { ...this.view(), journal, released };
    this.#claim.publish(JSON.stringify(projection, null, 2));
  }
}
