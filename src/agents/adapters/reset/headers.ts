import type { JsonObject } from '../../../kernel/json.ts';
import { momentOfValue } from './reset-time.ts';

type Headers = JsonObject;

/** A spent plan says when it begins anew; several windows can be spent, and the last of them counts. */
const WINDOWS = [
  ['x-codex-primary-used-percent', 'x-codex-primary-reset-at'],
  ['x-codex-secondary-used-percent', 'x-codex-secondary-reset-at'],
] as const;
const PLAN = ['anthropic-ratelimit-unified-reset', 'x-ratelimit-reset'];

/** When the headers of a refusal say that it is over: a spent plan, then how long to wait, then what is used up. */
export function resetOfHeaders(given: Headers, now: number): number | undefined {
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return windows(headers, now) ?? first(headers, PLAN, now) ?? wait(headers, now) ?? usedUp(headers, now);
}

function windows(headers: Headers, now: number): number | undefined {
  const told = WINDOWS.filter(([, reset]) => headers[reset] !== undefined);
  const spent = told.filter(([used]) => Number(headers[used] ?? 100) >= 100);
  const ends = (spent.length > 0 ? spent : told).flatMap(
    ([, reset]) => momentOfValue(headers[reset], now) ?? [],
  );
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/** At once says nothing. */
function wait(headers: Headers, now: number): number | undefined {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN);
  return ms > 0 ? now + ms : momentOfValue(headers['retry-after'], now);
}

/** `x-ratelimit-reset-tokens` and `anthropic-ratelimit-tokens-reset`, of those that are used up. */
function usedUp(headers: Headers, now: number): number | undefined {
  const ends = Object.keys(headers).flatMap((name) => {
    const left = name.includes('-reset-')
      ? name.replace('-reset-', '-remaining-')
      : name.replace(/-reset$/, '-remaining');
    if (left === name || !/ratelimit/.test(name) || Number(headers[left] ?? 1) > 0) return [];
    return momentOfValue(headers[name], now) ?? [];
  });
  return ends.length === 0 ? undefined : Math.max(...ends);
}

function first(headers: Headers, names: readonly string[], now: number): number | undefined {
  return names.map((name) => momentOfValue(headers[name], now)).find((at) => at !== undefined);
}
