import type { AgentUsage, TokenCount } from '../../event.ts';

export const NO_TOKENS: TokenCount = { input: 0, cached: 0, output: 0 };

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
