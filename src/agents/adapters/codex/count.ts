import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentConversation } from '../../adapter.ts';
import type { AgentEvent, TokenCount } from '../../event.ts';
import { listPrice, type OwnPrices } from '../../pricing/price.ts';
import { numberAt } from '../stream/read-json.ts';
import { minus, NO_TOKENS, usageEvent } from '../stream/usage.ts';

/** Codex counts over the whole thread, also over runs before this one; threads of its helpers count by themselves. */
export class CodexCount {
  readonly #threads = new Map<string, TokenCount>();
  readonly #before: TokenCount;
  readonly #prices: OwnPrices;
  #own = '';
  #model: string | undefined;

  constructor(resume: AgentConversation | undefined, prices: OwnPrices = {}) {
    this.#prices = prices;
    this.#before = resume?.counted?.tokens ?? NO_TOKENS;
  }

  begin(thread: string, model: string | undefined): void {
    this.#own = thread;
    this.#model = model;
    this.#threads.set(thread, this.#before);
  }

  get counted(): NonNullable<AgentConversation['counted']> {
    return { tokens: this.#threads.get(this.#own) ?? this.#before, usd: 0 };
  }

  used(thread: string, usage: JsonObject): readonly AgentEvent[] {
    const total: TokenCount = {
      input: numberAt(usage, 'inputTokens') ?? 0,
      cached: numberAt(usage, 'cachedInputTokens') ?? 0,
      output: numberAt(usage, 'outputTokens') ?? 0,
    };
    const tokens = minus(total, this.#threads.get(thread) ?? NO_TOKENS);
    this.#threads.set(thread, total);
    const price = this.#model === undefined ? undefined : listPrice(this.#model, tokens, this.#prices);
    return usageEvent(tokens, price, true);
  }
}
