/** A value with parts as lines that a person reads: one for each part, what it holds further in. */
export function structuredLines(value: unknown): string[] {
  if (Array.isArray(value)) return value.length === 0 ? ['none'] : value.flatMap(itemLines);
  if (typeof value !== 'object' || value === null) return scalarText(value).trimEnd().split('\n');
  const entries = Object.entries(value);
  return entries.length === 0 ? ['none'] : entries.flatMap(([key, inner]) => entryLines(key, inner));
}

/** Text that is nothing but such a value is read as one; anything else stays as it is. */
export function parsedIfStructured(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export function isStructured(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function entryLines(key: string, value: unknown): string[] {
  const lines = structuredLines(value);
  const [only] = lines;
  const fits = lines.length === 1 && (!isStructured(value) || only === 'none');
  return fits ? [`${key}: ${only ?? ''}`] : [`${key}:`, ...lines.map(further)];
}

function itemLines(value: unknown): string[] {
  return structuredLines(value).map((line, at) => (at === 0 ? `- ${line}` : further(line)));
}

function further(line: string): string {
  return line === '' ? line : `  ${line}`;
}

function scalarText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
