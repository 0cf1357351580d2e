import type { TokenCount } from '../event.ts';
import table from './prices.json' with { type: 'json' };

interface Rate {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

const RATES = new Map<string, Rate>(Object.entries(table.usdPerMillionTokens));

/** A dated or previewed edition costs what its model costs; variants such as `-mini` are models of their own. */
const EDITION = /-(?:\d{4}-\d{2}-\d{2}|\d{6,8}|preview(?:-[\d-]+)?|latest|exp)$/;

/**
 * What tokens cost by list price, in US dollars; undefined for a model that is not in the table. An estimate: it
 * knows neither the long-context rates nor a subscription.
 */
export function listPrice(model: string, tokens: TokenCount): number | undefined {
  const name = model.replace(/^(?:models|openai|google)\//, '');
  const rate = RATES.get(name) ?? RATES.get(name.replace(EDITION, ''));
  if (!rate) return undefined;
  const fresh = Math.max(0, tokens.input - tokens.cached);
  return (fresh * rate.input + tokens.cached * rate.cached + tokens.output * rate.output) / 1_000_000;
}
