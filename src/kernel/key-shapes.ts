/**
 * Keys that are known by their shape alone. Each has a mark that ordinary text, hashes, ids and pictures do not have,
 * because a false alarm teaches people to wave alarms through.
 */
const SHAPES: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['an AWS access key', /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/],
  ['a GitHub token', /\bgh[pousr]_[A-Za-z0-9]{36,255}\b|\bgithub_pat_[A-Za-z0-9_]{60,255}\b/],
  ['a GitLab token', /\bglpat-[A-Za-z0-9_-]{20,}\b/],
  ['a private key', /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/],
  ['a Slack token', /\bxox[abposr]-(?:\d+-)+[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Z0-9]+-\d+-[a-z0-9]{32,}/],
  [
    'a Slack webhook',
    /https:\/\/hooks\.slack\.com\/services\/T[A-Z0-9]{6,}\/B[A-Z0-9]{6,}\/[A-Za-z0-9]{20,}/,
  ],
  ['a Google API key', /\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/],
  ['a Google OAuth secret', /\bGOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])/],
  ['a Stripe key', /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{20,}\b/],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a PyPI token', /\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,}/],
  ['an Anthropic key', /\bsk-ant-[a-z]+\d{2}-[A-Za-z0-9_-]{20,}/],
  [
    'an OpenAI key',
    /\bsk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,}|\bsk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}\b/,
  ],
  ['a SendGrid key', /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/],
  ['a Hugging Face token', /\bhf_[A-Za-z]{34}\b/],
  ['an Azure storage key', /\bAccountKey=[A-Za-z0-9+/]{86}==/],
  ['a JSON web token', /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}/],
  [
    'a password in an address',
    /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#@:'"<>$`{}*]{1,100}:(?!\*\*\*)[^\s/?#@'"<>$`{}*]{6,200}@[A-Za-z0-9.-]+/,
  ],
];
const ANY = new RegExp(SHAPES.map(([, { source }]) => `(?:${source})`).join('|'), 'g');
/** What examples in documentation use, and what nobody could log in with. */
const EXAMPLE =
  /EXAMPLE|example|(?:[xX0]{8}|1234567|abcdefg)|:\/\/\w+:(?:pass(?:word|wd)?|secret|changeme|postgres)@/;

/** What kind of key a text holds; undefined: none that is known by its shape. */
export function keyIn(text: string): string | undefined {
  for (const [what, pattern] of SHAPES) {
    const found = pattern.exec(text)?.[0];
    if (found !== undefined && !EXAMPLE.test(found)) return what;
  }
  return undefined;
}

/** Text without such keys. */
export function withoutKeys(text: string): string {
  return text.replaceAll(ANY, (found) => (EXAMPLE.test(found) ? found : '***'));
}
