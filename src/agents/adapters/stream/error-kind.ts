import type { AgentError, AgentErrorKind } from '../../event.ts';
import { resetTime } from '../reset/reset-time.ts';

export interface Failure {
  readonly message: string;
  /** Of the provider's answer, where the CLI tells it. */
  readonly status?: number;
  /** Where it is given apart from the message. */
  readonly resetAt?: number;
}

/** What was paid for or granted is used up: only time or money brings it back. */
const SPENT = new RegExp(
  [
    /usage[ _]limits?/,
    /(?:hit|reached|exceeded|exhausted) (?:your|the|its) (?:[\w'-]+ ){0,4}(?:limits?|quota|capacity|allowance|allotment)/,
    /(?:hour|daily|weekly|monthly|session|plan|spend|spending|credit|free|request|token|opus|sonnet|message)s?[ _](?:usage )?(?:limit|cap|quota) (?:has been |was )?(?:reached|exceeded|hit|exhausted)/,
    /quota (?:limit )?(?:has been |was |is )?(?:reached|exceeded|exhausted|used up|spent)/,
    /quota will reset|regain access|daily quota|current quota|out of (?:\w+ )?(?:credits?|usage|quota|messages|tokens)/,
    /insufficient[ _](?:quota|credits?|balance|funds|g1_credits)|quota_exhausted|freeusagelimit|usage_limit/,
    /credit balance|requires more credits|spending (?:cap|limit)|premium request|payment required/,
    /(?:requests|tokens)[ -]per[ -](?:day|week|month)|per_?day|free-models-per-day|limit:\s*0\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);
/** Says the same, and is said of refused logins as well. */
const BILLING = /billing/i;
/** Too much in too short a time. */
const RATE =
  /\b429\b|rate[- _]?limit|too many (?:requests|tokens)|resource.{0,20}exhausted|throttl(?:ed|ing)|slow down|max(?:imum)? (?:rpm|tpm)|per[ -]minute/i;
const AUTH =
  /\b40[13]\b|unauthori[sz]ed|api key|api_key|not logged in|log ?in\b|authenticat|credentials|permission_denied|does not have (?:access|permission)|auth method/i;
const OVERLOADED =
  /\b(?:50[0234]|529)\b|overloaded|at capacity|no capacity|high demand|server had an error|internal server error|service unavailable|temporarily unavailable/i;
const NETWORK =
  /ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|socket hang up|fetch failed|network error|connection (?:lost|refused|reset|closed|failed|error)|connection_failed|stream disconnected|error sending request|unable to connect|dns error|\bterminated\b|premature close|stream (?:was )?(?:closed|ended) (?:before|unexpectedly)|incomplete json|other side closed/i;
/** More than the model can read at once. */
const TOO_LONG =
  /prompt is too long|context.?(?:length|window)|too many (?:input )?tokens|maximum context|input token count|input is too long/i;
/** A model that is not there, or not for whoever asks. */
const NO_MODEL =
  /model.{0,60}(?:not found|does not exist|not supported|may not exist|is not available|not a valid)|(?:unknown|invalid|no such) model|model_not_found|not_found_error.{0,20}model|issue with the selected model/i;
const REFUSED =
  /\b(?:400|404|413|422)\b|invalid[_ ]request|no (?:conversation|rollout|previous sessions?|sessions?) found|session not found/i;

/**
 * What a failure means for what happens next. A spent plan is `quota`. A rate limit that outlasted the CLI's own
 * retries is `quota` too when it says until when, because waiting for that moment is the cure; else `overloaded`.
 */
export function agentError(failure: Failure, now: number): AgentError {
  const { message } = failure;
  const spent = isSpent(failure);
  const limited = spent || failure.status === 429 || (failure.status === undefined && RATE.test(message));
  const resetAt = limited ? (failure.resetAt ?? resetTime(message, now)) : undefined;
  const kind = limited ? (spent || resetAt !== undefined ? 'quota' : 'overloaded') : unlimited(failure);
  const about = kind === 'refused' ? aboutOf(message) : undefined;
  return {
    type: 'error',
    kind,
    message,
    ...(about === undefined ? {} : { about }),
    ...(resetAt === undefined ? {} : { resetAt }),
  };
}

function aboutOf(message: string): AgentError['about'] {
  if (TOO_LONG.test(message)) return 'context';
  return NO_MODEL.test(message) ? 'model' : undefined;
}

function isSpent({ status, message }: Failure): boolean {
  if (status === 402) return true;
  if (status !== undefined && status >= 500) return false;
  return SPENT.test(message) || (status !== 401 && BILLING.test(message));
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
  return [REFUSED, TOO_LONG, NO_MODEL].some((pattern) => pattern.test(message)) ? 'refused' : 'crash';
}
