import type { TokenCount } from '../event.ts';
import table from './prices.json' with { type: 'json' };

interface Rate {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/** What a project says models cost, in US dollars per million tokens; cached tokens cost as input where it says nothing. */
export type OwnPrices = {
  readonly [model: string]: { readonly input: number; readonly output: number; readonly cached?: number };
};

const RATES = new Map<string, Rate>(Object.entries(table.usdPerMillionTokens));

/** A dated or previewed edition costs what its model costs; variants such as `-mini` are models of their own. */
const EDITION = /-(?:\d{4}-\d{2}-\d{2}|\d{6,8}|preview(?:-[\d-]+)?|latest|exp)$/;

/**
 * What tokens cost by list price, in US dollars; undefined for a model that is not in the table. An estimate: it
 * knows neither the long-context rates nor a subscription.
 */
export function listPrice(model: string, tokens: TokenCount, own: OwnPrices = {}): number | undefined {
  const rate = rateOf(model, own);
  if (!rate) return undefined;
  const fresh = Math.max(0, tokens.input - tokens.cached);
  return (fresh * rate.input + tokens.cached * rate.cached + tokens.output * rate.output) / 1_000_000;
}

/** Whether tokens of a model can be turned into money. */
export function hasPrice(model: string, own: OwnPrices = {}): boolean {
  return rateOf(model, own) !== undefined;
}

/** The project's own word first: it knows its contract. */
function rateOf(model: string, own: OwnPrices): Rate | undefined {
  const name = model.replace(/^(?:models|openai|google|anthropic)\//, '');
  const said = [model, name].find((each) => Object.hasOwn(own, each));
  const { input, output, cached = input } = (said === undefined ? undefined : own[said]) ?? {};
  if (input !== undefined && output !== undefined) return { input, output, cached: cached ?? input };
  return RATES.get(name) ?? RATES.get(name.replace(EDITION, ''));
}
