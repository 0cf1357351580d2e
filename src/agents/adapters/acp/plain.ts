import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentConversation } from '../../adapter.ts';
import type { AgentEvent, TokenCount } from '../../event.ts';
import { listPrice } from '../../pricing/price.ts';
import type { StreamContext } from '../stream/context.ts';
import { agentError } from '../stream/error-kind.ts';
import { numberAt, objectAt, textAt } from '../stream/read-json.ts';
import { NO_TOKENS, tokensOf, usageEvent } from '../stream/usage.ts';
import type { AcpCount, AcpTraits } from './traits.ts';

/** A CLI that keeps to the protocol. */
export function plainTraits(context: StreamContext): AcpTraits {
  return {
    // The first title of a call is the name of its tool.
    toolName: (call) => textAt(call, 'title') ?? 'a tool',
    error: agentError,
    count: new PlainCount(context),
  };
}

function usedIn(usage: JsonObject): TokenCount {
  return tokensOf({
    input: numberAt(usage, 'inputTokens') ?? 0,
    cached: numberAt(usage, 'cachedReadTokens') ?? 0,
    output: numberAt(usage, 'outputTokens') ?? 0,
    total: numberAt(usage, 'totalTokens'),
  });
}

/** The money is of the whole conversation. Of the tokens opencode tells those of the last step only. */
class PlainCount implements AcpCount {
  readonly #context: StreamContext;
  readonly #resumed: boolean;
  #counted: AgentConversation['counted'];
  #usd: number | undefined;

  constructor(context: StreamContext) {
    this.#context = context;
    this.#resumed = context.resume !== undefined;
    this.#counted = context.resume?.counted;
  }

  get counted(): AgentConversation['counted'] {
    return this.#counted;
  }

  updated(update: JsonObject): readonly AgentEvent[] {
    if (update['sessionUpdate'] === 'usage_update') {
      this.#usd = numberAt(objectAt(update, 'cost'), 'amount') ?? this.#usd;
    }
    // Beside the protocol, some tell of each answer what it took.
    return this.#priced(usedIn(objectAt(objectAt(update, '_meta'), 'usage')), undefined);
  }

  ended(result: JsonObject): readonly AgentEvent[] {
    const tokens = usedIn(objectAt(result, 'usage'));
    const usd = this.#spent();
    if (this.#usd !== undefined) this.#counted = { tokens: NO_TOKENS, usd: this.#usd };
    return this.#priced(tokens, usd);
  }

  /** Where the CLI tells no money it is estimated, if it is known by which model. */
  #priced(tokens: TokenCount, usd: number | undefined): readonly AgentEvent[] {
    const { model, prices } = this.#context;
    const price =
      usd ?? (model === undefined || this.#usd !== undefined ? undefined : listPrice(model, tokens, prices));
    return usageEvent(tokens, price, usd === undefined && price !== undefined);
  }

  /** Unknown where it is not known what the conversation had cost before. */
  #spent(): number | undefined {
    if (this.#usd === undefined || (this.#resumed && !this.#counted)) return undefined;
    return Math.max(0, this.#usd - (this.#counted?.usd ?? 0));
  }
}
