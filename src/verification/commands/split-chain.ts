/**
 * The parts of a command around `&&` outside quotes. Their text is left as it is written, but for the blanks at
 * the ends; a part may be empty, which is for the reader to refuse.
 */
export function splitChain(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at++;
    else if (char === "'" || char === '"') at = quoteEnd(text, at);
    else if (char === '&' && text.charAt(at + 1) === '&') {
      parts.push(text.slice(from, at).trim());
      at++;
      from = at + 1;
    }
  }
  parts.push(text.slice(from).trim());
  return parts;
}

/** Where the quote that opens at `open` closes; the end of the text when it never does. */
function quoteEnd(text: string, open: number): number {
  const quote = text.charAt(open);
  for (let at = open + 1; at < text.length; at++) {
    if (text.charAt(at) === quote) return at;
    if (quote === '"' && text.charAt(at) === '\\') at++;
  }
  return text.length;
}
