import type { Clock } from '../../../kernel/clock.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentConversation } from '../../adapter.ts';
import type { AdapterDefinition, ModeDefinition } from '../../definition/shape.ts';
import type { OwnPrices } from '../../pricing/price.ts';

/** What a reader of a CLI's output may need to know of the run. */
export interface StreamContext {
  readonly model?: string;
  readonly resume?: AgentConversation;
  /** What the project says models cost. */
  readonly prices?: OwnPrices;
  /** What is resumed goes on as a copy, under another id. */
  readonly fork?: true;
  /** Set where the CLI is talked to in both directions. */
  readonly dialogue?: DialogueContext;
  /** What the definition says that the CLI's words mean, whatever the reader. */
  readonly errors?: AdapterDefinition['errors'];
  /** Where the definition says that tokens stand. */
  readonly usage?: ModeDefinition['usage'];
  readonly clock?: Clock;
}

export interface DialogueContext {
  readonly prompt: string;
  readonly cwd: string;
  /** What the definition adds to the opening of the conversation. */
  readonly params: JsonObject;
  /** A person answers what the CLI wants to be allowed; else it is refused. */
  readonly asks: boolean;
  /** The way of logging in that the CLI is asked for first. */
  readonly authenticate?: string;
}
