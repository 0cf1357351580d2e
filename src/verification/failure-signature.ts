import { createHash } from 'node:crypto';

/**
 * Equal for two runs that fail in the same way, although clocks, durations, line numbers, temporary folders
 * and the order of parallel output differ; different as soon as another test or another message is in it.
 */
export function failureSignature(signal: string, texts: readonly string[]): string {
  const lines = new Set<string>();
  for (const text of texts) {
    for (const line of withoutColors(text).split(/[\r\n]+/)) {
      const meaning = withoutAccidents(line);
      if (meaning !== '') lines.add(meaning);
    }
  }
  const hash = createHash('sha256').update(`${signal}\n${[...lines].sort().join('\n')}`);
  return hash.digest('hex').slice(0, 16);
}

const ESCAPE = '\\u001B';
/** Colours and cursor moves, titles and links, and single-character sequences. */
const TERMINAL_SEQUENCES = new RegExp(
  [
    `${ESCAPE}\\[[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}\\][^\\u0007${ESCAPE}]*(?:\\u0007|${ESCAPE}\\\\)?`,
    `${ESCAPE}[@-Z\\\\-_]`,
  ].join('|'),
  'g',
);

function withoutColors(text: string): string {
  return text.replaceAll(TERMINAL_SEQUENCES, '');
}

/** What changes from run to run, most specific first. A number inside a name (`test_2`) tells tests apart and stays. */
const ACCIDENTS: readonly (readonly [pattern: RegExp, stand_in: string])[] = [
  [/(?:\/private)?\/(?:var\/folders\/[^/\s]+\/[^/\s]+|var\/tmp|tmp)\/[^/\s:'"`)\]]+/g, '<temporary>'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, '<time>'],
  // Two numbers alone are more likely line and column.
  [/\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?(?: ?[AP]M)?| ?[AP]M)\b/g, '<time>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b0x[0-9a-f]+\b/gi, '<id>'],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/gi, '<id>'],
  [/\b\d+(?:[.,]\d+)?\s?(?:ns|µs|us|ms|s|sec|seconds?|m|min|minutes?|h)\b/g, '<duration>'],
  [/(?<![\w.])\d+(?:[.,]\d+)*(?!\w)/g, '#'],
  [/\s+/g, ' '],
];

function withoutAccidents(line: string): string {
  return ACCIDENTS.reduce((text, [pattern, standIn]) => text.replaceAll(pattern, standIn), line).trim();
}
