/**
 * The half of the key that the page keeps. The other half is a cookie that no script can read; a page on another port
 * of this machine may be sent that cookie, but never has this.
 */
const KEY = 'loopwright';

interface Kept {
  readonly proof: string;
  readonly boot: string;
}

export function keptProof(): Kept | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return isKept(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function isKept(kept: unknown): kept is Kept {
  return typeof kept === 'object' && kept !== null && 'proof' in kept && 'boot' in kept;
}

/** The one-time token of the address, which is taken out of it at once: it is in no history and on no screen. */
function takeToken(): string | undefined {
  const token = location.hash.slice(1);
  if (token === '') return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return /^[\w-]{20,}$/.test(token) ? token : undefined;
}

/** Turns the token of the address into a proof; says why where that fails. */
export async function logIn(): Promise<string | undefined> {
  const token = takeToken();
  if (token === undefined) return keptProof() ? undefined : 'This page has not been opened with its address.';
  const reply = await fetch('/api/v1/auth', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  const body: unknown = await reply.json();
  if (reply.ok && isKept(body)) {
    localStorage.setItem(KEY, JSON.stringify({ proof: body.proof, boot: body.boot }));
    return undefined;
  }
  if (keptProof()) return undefined;
  return typeof body === 'object' && body !== null && 'problem' in body
    ? String(body.problem)
    : 'It was refused.';
}

export function forgetProof(): void {
  localStorage.removeItem(KEY);
}
