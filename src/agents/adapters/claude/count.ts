import type { JsonObject } from '../../../kernel/json.ts';
import { isJsonObject } from '../../../kernel/json.ts';
import type { AgentConversation } from '../../adapter.ts';
import type { AgentUsage, TokenCount } from '../../event.ts';
import { listPrice, type OwnPrices } from '../../pricing/price.ts';
import { numberAt, objectAt, textAt } from '../stream/read-json.ts';
import { minus, NO_TOKENS, plus, tokensOf, usageEvent } from '../stream/usage.ts';

/**
 * Tokens and money of one run. The result counts money over the whole conversation, also over runs before this
 * one, and tokens since the last result. Messages tell their tokens as they come, their answers only in part:
 * the result brings the rest.
 */
export class ClaudeCount {
  /** The tokens of the answer that were told of each message. */
  readonly #seen = new Map<string, number>();
  readonly #prices: OwnPrices | undefined;
  /** The message that is being written, and by which model. */
  #current = { id: '', model: '' };
  #told = NO_TOKENS;
  #estimatedUsd = 0;
  #counted: { readonly tokens: TokenCount; readonly usd: number } | undefined;

  constructor(resume: AgentConversation | undefined, prices?: OwnPrices) {
    this.#prices = prices;
    this.#counted = resume ? resume.counted : { tokens: NO_TOKENS, usd: 0 };
  }

  get counted(): AgentConversation['counted'] {
    return this.#counted;
  }

  message(message: JsonObject): readonly AgentUsage[] {
    const [id, model] = [textAt(message, 'id') ?? '', textAt(message, 'model') ?? ''];
    if (this.#seen.has(id) || model === '<synthetic>') return [];
    const tokens = usageOf(objectAt(message, 'usage'));
    this.#seen.set(id, tokens.output);
    return this.#tell(tokens, model);
  }

  /** A message while it is being written: what it was asked with, and at its end how long it became. */
  partial(event: JsonObject): readonly AgentUsage[] {
    if (event['type'] === 'message_start') {
      const message = objectAt(event, 'message');
      this.#current = { id: textAt(message, 'id') ?? '', model: textAt(message, 'model') ?? '' };
      return this.message(message);
    }
    if (event['type'] !== 'message_delta') return [];
    const { id, model } = this.#current;
    const output = numberAt(objectAt(event, 'usage'), 'output_tokens') ?? 0;
    const more = output - (this.#seen.get(id) ?? 0);
    if (more <= 0) return [];
    this.#seen.set(id, output);
    return this.#tell({ input: 0, cached: 0, output: more }, model);
  }

  /** The money is by our table until the result says it; one that we do not know is 0, which keeps the sum right. */
  #tell(tokens: TokenCount, model: string): readonly AgentUsage[] {
    const usd = listPrice(model, tokens, this.#prices);
    this.#told = plus(this.#told, tokens);
    this.#estimatedUsd += usd ?? 0;
    return usageEvent(tokens, usd ?? 0, usd !== undefined);
  }

  result(result: JsonObject): readonly AgentUsage[] {
    const total = numberAt(result, 'total_cost_usd') ?? 0;
    const recent = modelUsage(objectAt(result, 'model_usage_since_last_result'));
    const tokens = recent?.tokens ?? usageOf(objectAt(result, 'usage'));
    const rest = minus(tokens, this.#told);
    const spent = this.#counted ? Math.max(0, total - this.#counted.usd) : (recent?.usd ?? total);
    const usd = Math.max(0, spent - this.#estimatedUsd);
    this.#told = NO_TOKENS;
    this.#estimatedUsd = 0;
    this.#counted = {
      tokens: modelUsage(objectAt(result, 'modelUsage'))?.tokens ?? NO_TOKENS,
      usd: Math.max(total, this.#counted?.usd ?? 0),
    };
    return [{ type: 'usage', tokens: rest, usd, estimated: false, settles: true }];
  }
}

/** A CLI that prints the same format may tell a total, and then means the input otherwise. */
function usageOf(usage: JsonObject): TokenCount {
  const written = numberAt(usage, 'cache_creation_input_tokens') ?? 0;
  return tokensOf({
    input: (numberAt(usage, 'input_tokens') ?? 0) + written,
    cached: numberAt(usage, 'cache_read_input_tokens') ?? 0,
    output: numberAt(usage, 'output_tokens') ?? 0,
    total: numberAt(usage, 'total_tokens'),
  });
}

/** Over all models, also those of subagents; undefined where the CLI does not tell. */
function modelUsage(models: JsonObject): { readonly tokens: TokenCount; readonly usd: number } | undefined {
  const each = Object.values(models).filter(isJsonObject);
  if (each.length === 0) return undefined;
  const sum = (key: string) => each.reduce((total, model) => total + (numberAt(model, key) ?? 0), 0);
  const cached = sum('cacheReadInputTokens');
  const input = sum('inputTokens') + cached + sum('cacheCreationInputTokens');
  return { tokens: { input, cached, output: sum('outputTokens') }, usd: sum('costUSD') };
}
