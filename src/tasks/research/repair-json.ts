/**
 * JSON as models break it: a comma before a closing bracket, and an end that is missing. Anything else stays
 * broken, because guessing would make up findings.
 */
export function repaired(text: string): unknown {
  // An answer that breaks off may have left its fence open.
  const json = text.trim().replace(/^```\w*\s*\n/, '');
  if (!/^[[{]/.test(json)) return undefined;
  try {
    return JSON.parse(closed(json));
  } catch {
    // Then it is not JSON with a small mistake; the caller asks again.
    return undefined;
  }
}

/** The text up to its last value, without commas before closers, and with the closers that are missing. */
function closed(text: string): string {
  const open: string[] = [];
  let out = '';
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (inString) {
      out += char;
      if (char === '\\') out += text.charAt(++at);
      else if (char === '"') inString = false;
      continue;
    }
    if (char === '"') inString = true;
    if (char === '{' || char === '[') open.push(char === '{' ? '}' : ']');
    if (char === '}' || char === ']') {
      if (open.pop() !== char) return text;
      out = `${out.replace(/,\s*$/, '')}${char}`;
      if (open.length === 0) return out;
    } else out += char;
  }
  const ended = inString ? `${out}"` : out.replace(/,\s*$/, '');
  return ended + open.reverse().join('');
}
