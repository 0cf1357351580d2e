import { newId } from '../answer.ts';
import type { Failure, FailureKind } from '../scenario.ts';
import type { Refusal } from './refusal.ts';

const RATE_LIMIT =
  'Rate limit reached for fake-model on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s.';

type ErrorRow = readonly [status: number, type: string, code: string | null, message: string];

const overloaded: ErrorRow = [
  503,
  'server_error',
  'server_is_overloaded',
  'The server is currently overloaded. Please try again later.',
];

const errors: { readonly [kind in FailureKind]: ErrorRow } = {
  '429': [429, 'requests', 'rate_limit_exceeded', RATE_LIMIT],
  '529': overloaded,
  '503': overloaded,
  '500': [500, 'server_error', null, 'The server had an error while processing your request.'],
  '401': [401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided: sk-dummy.'],
  '403': [403, 'permission_error', null, 'You do not have access to this model.'],
  quota: [
    429,
    'insufficient_quota',
    'insufficient_quota',
    'You exceeded your current quota, please check your plan and billing details.',
  ],
  usage: [429, 'usage_limit_reached', null, 'The usage limit has been reached'],
};

export function refuseOpenai(failure: Failure, resetAt: number): Refusal {
  const [status, type, code, message] = errors[failure.kind];
  const { retryAfterSeconds } = failure;
  const resets_at = Math.floor(resetAt / 1000);
  const spent = failure.kind === 'usage';
  return {
    status,
    headers: {
      'x-request-id': newId('req_'),
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      ...(spent ? spentWindow(resets_at) : {}),
    },
    body: {
      error: {
        message,
        type,
        param: null,
        code,
        ...(spent
          ? { plan_type: 'plus', resets_at, resets_in_seconds: resets_at - Math.floor(Date.now() / 1000) }
          : {}),
      },
    },
  };
}

/** A subscription whose five hours are used up. */
function spentWindow(reset: number): { readonly [name: string]: string } {
  return {
    'x-codex-primary-used-percent': '100',
    'x-codex-primary-window-minutes': '300',
    'x-codex-primary-reset-at': String(reset),
  };
}
