import type { Failure, FailureKind } from '../scenario.ts';
import type { Refusal } from './refusal.ts';

const QUOTA = 'You exceeded your current quota, please check your plan and billing details.';
const overloaded = [503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'] as const;

const errors: { readonly [kind in FailureKind]: readonly [code: number, status: string, message: string] } = {
  '429': [429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'],
  '529': overloaded,
  '503': overloaded,
  '500': [500, 'INTERNAL', 'An internal error has occurred.'],
  '401': [400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'],
  '403': [403, 'PERMISSION_DENIED', 'The caller does not have permission'],
  quota: [429, 'RESOURCE_EXHAUSTED', QUOTA],
  usage: [429, 'RESOURCE_EXHAUSTED', QUOTA],
};

export function refuseGemini(failure: Failure, resetAt: number): Refusal {
  const [code, status, message] = errors[failure.kind];
  return { status: code, body: { error: { code, message, status, details: details(failure, resetAt) } } };
}

function details({ kind, retryAfterSeconds }: Failure, resetAt: number): object[] {
  switch (kind) {
    case '401':
      return [detail('ErrorInfo', { reason: 'API_KEY_INVALID', domain: 'googleapis.com' })];
    case 'quota':
      return [spent('GenerateRequestsPerDayPerProjectPerModel-FreeTier')];
    case 'usage':
      return [
        spent('GenerateRequestsPerDayPerProjectPerModel-FreeTier'),
        retryIn(Math.round((resetAt - Date.now()) / 1000)),
      ];
    default:
      return retryAfterSeconds === undefined
        ? []
        : [spent('GenerateRequestsPerMinutePerProjectPerModel'), retryIn(retryAfterSeconds)];
  }
}

function spent(quotaId: string): object {
  const quotaMetric = 'generativelanguage.googleapis.com/generate_content_requests';
  return detail('QuotaFailure', { violations: [{ quotaMetric, quotaId, quotaValue: '50' }] });
}

function retryIn(seconds: number): object {
  return detail('RetryInfo', { retryDelay: `${seconds}s` });
}

function detail(type: string, rest: object): object {
  return { '@type': `type.googleapis.com/google.rpc.${type}`, ...rest };
}
