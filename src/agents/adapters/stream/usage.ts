import type { AgentUsage, TokenCount } from '../../event.ts';

export const NO_TOKENS: TokenCount = { input: 0, cached: 0, output: 0 };

/**
 * The same field has two meanings: with some CLIs the input holds the cached tokens already, with others they come on
 * top. Where the sum of all is told, it tells which; without it they come on top.
 */
export function tokensOf(told: TokenCount & { readonly total: number | undefined }): TokenCount {
  const { input, cached, output, total } = told;
  const within = total !== undefined && total <= input + output;
  return { input: within ? input : input + cached, cached, output };
}

export function plus(a: TokenCount, b: TokenCount): TokenCount {
  return { input: a.input + b.input, cached: a.cached + b.cached, output: a.output + b.output };
}

/** What came on top; a CLI that starts counting again does not give tokens back. */
export function minus(a: TokenCount, b: TokenCount): TokenCount {
  const less = (key: keyof TokenCount) => Math.max(0, a[key] - b[key]);
  return { input: less('input'), cached: less('cached'), output: less('output') };
}

export function usageEvent(tokens: TokenCount, usd: number | undefined, estimated: boolean): AgentUsage[] {
  if (tokens.input === 0 && tokens.output === 0 && !usd) return [];
  return [{ type: 'usage', tokens, ...(usd === undefined ? {} : { usd }), estimated }];
}
