/** Shorter pieces would be found in ordinary text. */
const SHORTEST_PIECE = 8;

/**
 * The ways in which a secret is commonly written without being changed: base64 and base64url wherever it stands in
 * what was encoded (as in `user:password`), percent signs, and hexadecimal digits.
 */
export function encodedForms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const base64 = [0, 1, 2].map((before) => alignedBase64(bytes, before));
  const url = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const hex = bytes.toString('hex');
  const percent = percentForms(secret);
  const forms = [...base64, ...url, hex, hex.toUpperCase(), ...percent];
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_PIECE && form !== secret);
}

/** The letters that depend on the secret alone when so many bytes stand before it. */
function alignedBase64(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes])
    .toString('base64')
    .replaceAll('=', '');
  const from = before === 0 ? 0 : before + 1;
  const rest = (before + bytes.length) % 3;
  return text.slice(from, rest === 0 ? undefined : -1);
}

function percentForms(secret: string): string[] {
  try {
    const usual = encodeURIComponent(secret);
    const lower = usual.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
    return [usual, lower, usual.replaceAll('%20', '+')];
  } catch {
    // Half a letter cannot be encoded, so nobody has.
    return [];
  }
}
