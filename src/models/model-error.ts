import { parseReset } from './reset.ts';

/**
 * By consequence. `quota`: another key or later. `auth`: another key. `overloaded`, `network`: later. `context`,
 * `refused`, `unknown-model`: another request. `cut`, `malformed`: once more. `length`, `turns`: more room.
 */
export type ModelErrorKind =
  | 'quota'
  | 'auth'
  | 'overloaded'
  | 'network'
  | 'context'
  | 'refused'
  | 'unknown-model'
  | 'cut'
  | 'malformed'
  | 'length'
  | 'turns'
  | 'other';

export interface ModelError {
  readonly kind: ModelErrorKind;
  readonly message: string;
  readonly status?: number;
  /** Milliseconds since 1970: when it may be tried again. */
  readonly resetAt?: number;
}

/** What a provider answered instead of an answer. */
export interface Refusal {
  readonly status: number | undefined;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
  readonly message: string;
}

const TOO_LONG =
  /context.?(?:length|window)|prompt is too long|too many (?:input )?tokens|maximum context|exceeds the (?:maximum|model)|input token count/i;
const SPENT =
  /insufficient_quota|exceeded your current quota|credit balance|billing|RESOURCE_EXHAUSTED|usage limit/i;

/** What a refusal of the provider means. Its status decides; its words only where the status says too little. */
export function errorOfRefusal(refusal: Refusal, now: number): ModelError {
  const { status, body, message } = refusal;
  const words = `${message}\n${body}`;
  const error = (kind: ModelErrorKind): ModelError => ({
    kind,
    message,
    ...(status === undefined ? {} : { status }),
  });
  if (
    status === 429 ||
    status === 402 ||
    (status === 400 && SPENT.test(words)) ||
    (status === 403 && SPENT.test(words))
  ) {
    const resetAt = parseReset(refusal, now);
    return { ...error('quota'), ...(resetAt === undefined ? {} : { resetAt }) };
  }
  if (/"type":"rate_limit_error"/.test(body)) return error('quota');
  if (status === 401 || status === 403) return error('auth');
  if (status === 400 && /api.?key/i.test(words)) return error('auth');
  if (status === 413 || ((status === 400 || status === 422) && TOO_LONG.test(words))) return error('context');
  if (status === 404) return error('unknown-model');
  if (status === 529 || (status !== undefined && status >= 500)) return error('overloaded');
  return error(status === undefined ? 'network' : 'other');
}
