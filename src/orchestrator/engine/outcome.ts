import type { ContextSegment } from '../../manifest/segment.ts';
import type { Doubt, Question, SuspendReason } from '../../manifest/worker.ts';
import type { CapReached } from './spend-port.ts';

/** Who or what ended a step from outside. */
export type StopCause =
  | { readonly kind: 'interrupted'; readonly message: string }
  | { readonly kind: 'aborted'; readonly message: string; readonly guidance?: string }
  | { readonly kind: 'lost' }
  /** What the step noted could not be written: nothing that it does from here on would be known. */
  | { readonly kind: 'storage'; readonly error: Error }
  | { readonly kind: 'limit'; readonly message: string }
  | { readonly kind: 'budget'; readonly message: string }
  /** An agent asks, and nobody answers. */
  | { readonly kind: 'question'; readonly question: Question }
  /** What all sessions of the project together may use is used up. */
  | ({ readonly kind: 'cap' } & CapReached)
  /** The agent used tokens whose price nobody knows, and the session has a budget of money. */
  | { readonly kind: 'unpriced'; readonly agent: string; readonly usd: number };

/** What came of running a worker: always a value, whatever the worker did. */
export type Outcome =
  | {
      readonly kind: 'answered';
      readonly signal: string;
      readonly added: readonly ContextSegment[];
      readonly dropped: readonly string[];
      readonly doubt?: Doubt | null;
      readonly ms: number;
    }
  | {
      readonly kind: 'threw';
      readonly error: unknown;
      readonly added: readonly ContextSegment[];
      readonly ms: number;
    }
  | { readonly kind: 'suspended'; readonly reason: SuspendReason }
  | { readonly kind: 'stopped'; readonly cause: StopCause; readonly ms: number };
