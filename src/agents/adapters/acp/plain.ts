import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentConversation } from '../../adapter.ts';
import type { AgentEvent } from '../../event.ts';
import { agentError } from '../stream/error-kind.ts';
import { numberAt, objectAt, textAt } from '../stream/read-json.ts';
import { NO_TOKENS, tokensOf, usageEvent } from '../stream/usage.ts';
import type { AcpCount, AcpTraits } from './traits.ts';

/** A CLI that keeps to the protocol. */
export function plainTraits(resume: AgentConversation | undefined): AcpTraits {
  return {
    // The first title of a call is the name of its tool.
    toolName: (call) => textAt(call, 'title') ?? 'a tool',
    error: agentError,
    count: new PlainCount(resume),
  };
}

/** The money is of the whole conversation. Of the tokens opencode tells those of the last step only. */
class PlainCount implements AcpCount {
  readonly #resumed: boolean;
  #counted: AgentConversation['counted'];
  #usd: number | undefined;

  constructor(resume: AgentConversation | undefined) {
    this.#resumed = resume !== undefined;
    this.#counted = resume?.counted;
  }

  get counted(): AgentConversation['counted'] {
    return this.#counted;
  }

  updated(update: JsonObject): void {
    if (update['sessionUpdate'] !== 'usage_update') return;
    this.#usd = numberAt(objectAt(update, 'cost'), 'amount') ?? this.#usd;
  }

  ended(result: JsonObject): readonly AgentEvent[] {
    const usage = objectAt(result, 'usage');
    const tokens = tokensOf({
      input: numberAt(usage, 'inputTokens') ?? 0,
      cached: numberAt(usage, 'cachedReadTokens') ?? 0,
      output: numberAt(usage, 'outputTokens') ?? 0,
      total: numberAt(usage, 'totalTokens'),
    });
    const usd = this.#spent();
    if (this.#usd !== undefined) this.#counted = { tokens: NO_TOKENS, usd: this.#usd };
    return usageEvent(tokens, usd, false);
  }

  /** Unknown where it is not known what the conversation had cost before. */
  #spent(): number | undefined {
    if (this.#usd === undefined || (this.#resumed && !this.#counted)) return undefined;
    return Math.max(0, this.#usd - (this.#counted?.usd ?? 0));
  }
}
