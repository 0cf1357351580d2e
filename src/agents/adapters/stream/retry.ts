import type { AgentEvent } from '../../event.ts';
import type { Failure } from './error-kind.ts';

/** What a line of a CLI's log tells of its calls of the model. */
export interface Retry {
  readonly failure?: Failure;
  readonly events: readonly AgentEvent[];
  /** It waits now, so long where it says so; null: it asks again. */
  readonly pause?: { readonly ms?: number } | null;
}
