import { NotFoundError, SessionBusyError } from '../../kernel/errors.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import { correctedDigest } from './corrected-digest.ts';
import type { Owner } from './owner.ts';
import type { JournalRecord } from './record.ts';
import { endOfStep } from './step-position.ts';
import type { JournalClaim, NewClaim, SessionStore, StoredSession } from './store.ts';

interface Entry {
  readonly manifest: ResolvedManifest;
  readonly corrected: Map<string, ResolvedManifest>;
  readonly records: JournalRecord[];
  epoch: number;
  owner: Owner | undefined;
}

/** Sessions of one process, gone with it. */
export class MemoryStore implements SessionStore {
  readonly #sessions = new Map<string, Entry>();

  create(id: string, manifest: ResolvedManifest): void {
    this.#sessions.set(id, { manifest, corrected: new Map(), records: [], epoch: 0, owner: undefined });
  }

  manifest(id: string, digest?: string): ResolvedManifest {
    const entry = this.#sessions.get(id);
    const kept = digest === undefined ? entry?.manifest : entry?.corrected.get(digest);
    if (!kept) throw new NotFoundError(`Session ${id} has no manifest ${digest ?? ''}.`);
    return kept;
  }

  keepManifest(id: string, digest: string, manifest: ResolvedManifest): void {
    this.#sessions.get(id)?.corrected.set(digest, manifest);
  }

  read(id: string): StoredSession | undefined {
    const entry = this.#sessions.get(id);
    if (!entry?.owner) return undefined;
    const { epoch, owner, records } = entry;
    const manifest = this.manifest(id, correctedDigest(records));
    const released = records.at(-1)?.t === 'released';
    return { epoch, owner, manifest, records, released, bytes: records.length };
  }

  claim(id: string, after: number, claim: NewClaim): JournalClaim {
    const entry = this.#sessions.get(id);
    if (!entry || entry.epoch !== after) {
      throw new SessionBusyError(`Session ${id} was taken by another orchestrator.`);
    }
    const epoch = after + 1;
    if (claim.upToStep !== undefined) entry.records.length = endOfStep(entry.records, claim.upToStep);
    entry.epoch = epoch;
    entry.owner = claim.owner;
    return {
      epoch,
      records: [...entry.records],
      append: (record) => {
        if (entry.epoch === epoch) entry.records.push(record);
      },
      bytes: () => entry.records.length,
      isLost: () => entry.epoch !== epoch,
      onLost: () => undefined,
      publish: () => undefined,
      keepKey: () => undefined,
      logFile: () => undefined,
      close: () => undefined,
    };
  }

  /** Reading the records costs nothing here. */
  projection(): undefined {
    return undefined;
  }

  republish(): void {}

  ids(): readonly string[] {
    return [...this.#sessions.keys()];
  }

  remove(id: string): void {
    this.#sessions.delete(id);
  }
}
