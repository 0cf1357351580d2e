import type { JsonObject } from '../../../kernel/json.ts';
import { isJsonObject } from '../../../kernel/json.ts';
import type { AgentConversation } from '../../adapter.ts';
import type { AgentUsage, TokenCount } from '../../event.ts';
import { numberAt, objectAt, textAt } from '../stream/read-json.ts';
import { minus, NO_TOKENS, plus, usageEvent } from '../stream/usage.ts';

/**
 * Tokens and money of one run. The result counts money over the whole conversation, also over runs before this
 * one, and tokens since the last result. Messages tell their tokens as they come, their answers only in part:
 * the result brings the rest.
 */
export class ClaudeCount {
  readonly #seen = new Set<string>();
  #told = NO_TOKENS;
  #counted: { readonly tokens: TokenCount; readonly usd: number } | undefined;

  constructor(resume: AgentConversation | undefined) {
    this.#counted = resume ? resume.counted : { tokens: NO_TOKENS, usd: 0 };
  }

  get counted(): AgentConversation['counted'] {
    return this.#counted;
  }

  /** The money of a message is not known before the result: 0 keeps the sum right. */
  message(message: JsonObject): readonly AgentUsage[] {
    const id = textAt(message, 'id') ?? '';
    if (this.#seen.has(id) || textAt(message, 'model') === '<synthetic>') return [];
    this.#seen.add(id);
    const tokens = tokensOf(objectAt(message, 'usage'));
    this.#told = plus(this.#told, tokens);
    return usageEvent(tokens, 0, false);
  }

  result(result: JsonObject): readonly AgentUsage[] {
    const total = numberAt(result, 'total_cost_usd') ?? 0;
    const recent = modelUsage(objectAt(result, 'model_usage_since_last_result'));
    const tokens = recent?.tokens ?? tokensOf(objectAt(result, 'usage'));
    const rest = minus(tokens, this.#told);
    const usd = this.#counted ? Math.max(0, total - this.#counted.usd) : (recent?.usd ?? total);
    this.#told = NO_TOKENS;
    this.#counted = {
      tokens: modelUsage(objectAt(result, 'modelUsage'))?.tokens ?? NO_TOKENS,
      usd: Math.max(total, this.#counted?.usd ?? 0),
    };
    return usageEvent(rest, usd, false);
  }
}

function tokensOf(usage: JsonObject): TokenCount {
  const cached = numberAt(usage, 'cache_read_input_tokens') ?? 0;
  const written = numberAt(usage, 'cache_creation_input_tokens') ?? 0;
  const input = (numberAt(usage, 'input_tokens') ?? 0) + cached + written;
  return { input, cached, output: numberAt(usage, 'output_tokens') ?? 0 };
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
