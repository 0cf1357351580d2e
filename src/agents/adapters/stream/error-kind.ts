import type { AgentError, AgentErrorKind } from '../../event.ts';
import { resetTime } from './reset-time.ts';

export interface Failure {
  readonly message: string;
  /** Of the provider's answer, where the CLI tells it. */
  readonly status?: number;
  /** Where it is given apart from the message. */
  readonly resetAt?: number;
}

const SPENT =
  /usage limit|(?:hit|reached) your (?:\w+ )?limit|daily quota|exceeded your current quota|quota exceeded|insufficient_quota|credit balance|billing|out of credits|spending (?:cap|limit)/i;
const RATE = /\b429\b|rate.?limit|too many requests|resource.{0,12}exhausted/i;
const AUTH =
  /\b40[13]\b|unauthori[sz]ed|api key|api_key|not logged in|log ?in\b|authenticat|credentials|permission_denied|does not have (?:access|permission)|auth method/i;
const OVERLOADED =
  /\b(?:50[0234]|529)\b|overloaded|at capacity|high demand|server had an error|internal server error|service unavailable|temporarily unavailable/i;
const NETWORK =
  /ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|socket hang up|fetch failed|network error|connection (?:lost|refused|reset|closed|failed|error)|connection_failed|stream disconnected|error sending request|unable to connect|dns error/i;
const REFUSED =
  /\b(?:400|404|413|422)\b|invalid[_ ]request|prompt is too long|context (?:length|window)|model.{0,40}(?:not found|does not exist|not supported)|unknown model|no (?:conversation|rollout|previous sessions?|sessions?) found|session not found/i;

/**
 * What a failure means for what happens next. A spent plan is `quota`. A rate limit that outlasted the CLI's own
 * retries is `quota` too when it says until when, because waiting for that moment is the cure; else `overloaded`.
 */
export function agentError(failure: Failure, now: number): AgentError {
  const { message } = failure;
  const spent = SPENT.test(message);
  const limited = spent || failure.status === 429 || (failure.status === undefined && RATE.test(message));
  const resetAt = limited ? (failure.resetAt ?? resetTime(message, now)) : undefined;
  const kind = limited ? (spent || resetAt !== undefined ? 'quota' : 'overloaded') : unlimited(failure);
  return { type: 'error', kind, message, ...(resetAt === undefined ? {} : { resetAt }) };
}

function unlimited({ status, message }: Failure): AgentErrorKind {
  if (status !== undefined) {
    if (status === 401 || status === 403) return 'auth';
    if (status >= 500) return 'overloaded';
  }
  if (AUTH.test(message)) return 'auth';
  if (status !== undefined && status >= 400) return 'refused';
  if (NETWORK.test(message)) return 'network';
  if (OVERLOADED.test(message)) return 'overloaded';
  return REFUSED.test(message) ? 'refused' : 'crash';
}
