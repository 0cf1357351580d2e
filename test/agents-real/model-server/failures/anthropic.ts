import { newId } from '../answer.ts';
import type { Failure, FailureKind } from '../scenario.ts';
import type { Refusal } from './refusal.ts';

const RATE_LIMIT = "This request would exceed your account's rate limit. Please try again later.";
const NO_CREDIT =
  'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.';

const errors: { readonly [kind in FailureKind]: readonly [status: number, type: string, message: string] } = {
  '429': [429, 'rate_limit_error', RATE_LIMIT],
  '529': [529, 'overloaded_error', 'Overloaded'],
  '503': [503, 'api_error', 'Service unavailable'],
  '500': [500, 'api_error', 'Internal server error'],
  '401': [401, 'authentication_error', 'invalid x-api-key'],
  '403': [403, 'permission_error', 'Your account does not have access'],
  quota: [400, 'invalid_request_error', NO_CREDIT],
  usage: [429, 'rate_limit_error', RATE_LIMIT],
};

export function refuseAnthropic(failure: Failure, resetAt: number): Refusal {
  const [status, type, message] = errors[failure.kind];
  const { retryAfterSeconds } = failure;
  return {
    status,
    headers: {
      'request-id': newId('req_'),
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      ...(failure.kind === 'usage' ? spentWindow(Math.floor(resetAt / 1000)) : {}),
    },
    body: { type: 'error', error: { type, message }, request_id: newId('req_') },
  };
}

/** A subscription whose five hours are used up. */
function spentWindow(reset: number): { readonly [name: string]: string } {
  const prefix = 'anthropic-ratelimit-unified';
  return {
    [`${prefix}-status`]: 'rejected',
    [`${prefix}-reset`]: String(reset),
    [`${prefix}-representative-claim`]: 'five_hour',
    [`${prefix}-overage-status`]: 'rejected',
    [`${prefix}-5h-status`]: 'rejected',
    [`${prefix}-5h-reset`]: String(reset),
    [`${prefix}-5h-utilization`]: '1.0',
    'retry-after': String(reset - Math.floor(Date.now() / 1000)),
  };
}
