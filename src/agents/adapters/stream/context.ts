import type { Clock } from '../../../kernel/clock.ts';
import type { AgentConversation } from '../../adapter.ts';
import type { AdapterDefinition } from '../../definition/shape.ts';

/** What a reader of a CLI's output may need to know of the run. */
export interface StreamContext {
  readonly model?: string;
  readonly resume?: AgentConversation;
  /** Set where the prompt is the first message on the channel. */
  readonly prompt?: string;
  /** Patterns of the definition, for CLIs that tell in words only what went wrong. */
  readonly errors?: AdapterDefinition['errors'];
  readonly clock?: Clock;
}
