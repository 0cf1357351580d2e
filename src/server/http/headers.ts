/** What the page may load and do: its own files, and requests to where it came from. xterm alone needs inline style. */
const CONTENT = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lw',
].join('; ');

/** On every answer, whatever it is. */
export const ALWAYS: { readonly [name: string]: string } = {
  'content-security-policy': CONTENT,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** On every answer of the API besides. */
export const PRIVATE: { readonly [name: string]: string } = { 'cache-control': 'no-store' };

/** All events up to this one are in the answer. */
export const EVENT_HEADER = 'x-loopwright-event';
export const PROOF_HEADER = 'x-loopwright';
