import {
  BY_ENGINE,
  type Origin,
  reservedFor,
  type WorkerKind,
  whyReserved,
  withOrigin,
} from '../../manifest/origin.ts';
import type { ResolvedBlock } from '../../manifest/resolved.ts';
import { type ContextSegment, isFact } from '../../manifest/segment.ts';
import { BadSegmentError } from './reconcile.ts';

export interface Answering {
  readonly block: string;
  readonly name: string;
  /** Undefined: nobody vouched for the worker. */
  readonly kind: WorkerKind | undefined;
}

/**
 * Says of every segment whose word it is. A type that is reserved for the engine or for a person counts only from
 * them, so what an agent, a model or a program claims under such a name never enters the history.
 */
export function stampOrigins(added: readonly ContextSegment[], worker: Answering): readonly ContextSegment[] {
  return added.map((segment) => {
    const kind = kindOf(segment, worker);
    const reserved = whyReserved(segment.type, kind);
    if (reserved !== undefined) throw new BadSegmentError(`segment ${segment.id} ${reserved}`);
    return withOrigin(segment, { kind, block: worker.block, worker: worker.name });
  });
}

/** What a worker of ours notes beside the words of its agent or program is a fact, and what it asked a person is theirs. */
function kindOf(segment: ContextSegment, { name, kind }: Answering): Origin['kind'] {
  const own = kind ?? (name.startsWith('Internal:') ? 'engine' : undefined);
  if (own === undefined) return 'program';
  if (own === 'engine') return reservedFor(segment.type) ?? 'engine';
  return isFact(segment) ? 'engine' : own;
}

/** What the engine itself adds to a step. */
export function byEngine(block: ResolvedBlock): (segment: ContextSegment) => ContextSegment {
  const origin: Origin = { ...BY_ENGINE, block: block.id, worker: block.worker };
  return (segment) => withOrigin(segment, origin);
}

/** What a session begins with: the caller's own words, unless the engine prepared them. */
export function withSomeOrigin(segment: ContextSegment): ContextSegment {
  return segment.origin ? segment : withOrigin(segment, { kind: 'program', block: null, worker: null });
}
