/** Characters that one family of encoders writes as `\uXXXX` although JSON does not ask for it. */
const ESCAPED_BY: readonly RegExp[] = [
  // Only what JSON asks for: JavaScript, Rust.
  /(?!)/g,
  // Plain ASCII: Python, PHP, Ruby, Java.
  /[^\x20-\x7e]/g,
  // Safe inside HTML: Go.
  /[<>&\u2028\u2029]/g,
  // Both, and more: .NET.
  /[<>&'+`]|[^\x20-\x7e]/g,
];

/**
 * The ways a text is written inside a JSON string by the encoders in use, without repetitions. An encoder is
 * consistent, so mixtures of them are not listed. A text without special characters has one form: itself.
 */
export function jsonForms(text: string): string[] {
  const forms = new Set<string>();
  for (const escaped of ESCAPED_BY) {
    for (const hex of [lower, upper]) {
      const form = JSON.stringify(text).slice(1, -1).replace(escaped, hex);
      forms.add(form).add(form.replaceAll('/', '\\/'));
      forms.add(form.replaceAll('\\"', hex('"')));
    }
  }
  return [...forms];
}

function lower(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function upper(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
