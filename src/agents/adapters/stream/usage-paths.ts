import { isJsonObject, type JsonObject, type JsonValue } from '../../../kernel/json.ts';
import type { ModeDefinition } from '../../definition/shape.ts';
import type { AgentUsage, TokenCount } from '../../event.ts';
import { listPrice } from '../../pricing/price.ts';
import type { StreamContext } from './context.ts';
import { minus, NO_TOKENS, usageEvent } from './usage.ts';

type Paths = NonNullable<ModeDefinition['usage']>;

/** Reads tokens and money from the JSON lines of a CLI, from where its definition says that they stand. */
export class UsagePaths {
  readonly #paths: Paths;
  readonly #context: StreamContext;
  #model: string | undefined;
  /** What was told of a run whose lines tell its whole use so far. */
  #told: { readonly tokens: TokenCount; readonly usd: number } = { tokens: NO_TOKENS, usd: 0 };

  constructor(paths: Paths, context: StreamContext) {
    this.#paths = paths;
    this.#context = context;
    this.#model = context.model;
  }

  read(message: JsonObject): readonly AgentUsage[] {
    const { model } = this.#paths;
    const named = model === undefined ? undefined : valueAt(message, model);
    if (typeof named === 'string') this.#model = named;
    const tokens = this.#tokens(message);
    if (!tokens) return [];
    const usd = this.#paths.usd === undefined ? undefined : numberAt(message, this.#paths.usd);
    return this.#paths.counts === 'run' ? this.#onTop(tokens, usd) : this.#priced(tokens, usd);
  }

  /** Undefined where the line tells nothing of it. */
  #tokens(message: JsonObject): TokenCount | undefined {
    const { input, cached, output, cachedBeside } = this.#paths;
    const told = [numberAt(message, input), numberAt(message, output)] as const;
    if (told[0] === undefined && told[1] === undefined) return undefined;
    const again = cached === undefined ? 0 : (numberAt(message, cached) ?? 0);
    return { input: (told[0] ?? 0) + (cachedBeside ? again : 0), cached: again, output: told[1] ?? 0 };
  }

  #onTop(tokens: TokenCount, usd: number | undefined): readonly AgentUsage[] {
    const before = this.#told;
    this.#told = { tokens, usd: usd ?? before.usd };
    const spent = usd === undefined ? undefined : Math.max(0, usd - before.usd);
    return this.#priced(minus(tokens, before.tokens), spent);
  }

  #priced(tokens: TokenCount, usd: number | undefined): readonly AgentUsage[] {
    if (usd !== undefined) return usageEvent(tokens, usd, false);
    const price = listPrice(this.#model ?? '', tokens, this.#context.prices);
    return usageEvent(tokens, price, price !== undefined);
  }
}

function numberAt(message: JsonObject, path: string): number | undefined {
  const value = valueAt(message, path);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** `usage.input_tokens`; a number stands for a place in a list. */
function valueAt(message: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = message;
  for (const step of path.split('.')) {
    if (Array.isArray(value)) value = (value as readonly JsonValue[])[Number(step)];
    else if (isJsonObject(value)) value = value[step];
    else return undefined;
  }
  return value;
}
