import type { DeliveryLater } from '../../workers/services.ts';
import { RemoteUnreachableError } from '../../workspace/remote/remote-git.ts';
import { GitHubError } from '../github/errors.ts';

/** A limit without a time, and an outage that outlasted the tries on the spot. */
const AGAIN_MS = 60_000;
const SHORTEST_MS = 1000;
const TRIES = 3;

/** When a delivery that failed may be tried again; what no time mends is thrown on. */
export function laterFor(error: unknown, now: number): DeliveryLater {
  if (error instanceof GitHubError && error.problem === 'rate-limited') {
    const until = Math.max(now + SHORTEST_MS, error.resetAt ?? now + AGAIN_MS);
    return { later: { until, reason: error.message } };
  }
  const isOutage =
    error instanceof RemoteUnreachableError ||
    (error instanceof GitHubError && error.problem === 'unavailable');
  if (!isOutage) throw error;
  return { later: { until: now + AGAIN_MS, reason: error.message }, tries: TRIES };
}
