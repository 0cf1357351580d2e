const UNIT_MS: readonly (readonly [unit: RegExp, ms: number])[] = [
  [/^(?:ms|millis|milliseconds?)$/i, 1],
  [/^(?:s|secs?|seconds?)$/i, 1000],
  [/^(?:m|mins?|minutes?)$/i, 60_000],
  [/^(?:h|hrs?|hours?)$/i, 3_600_000],
  [/^(?:d|days?)$/i, 86_400_000],
  [/^(?:w|wks?|weeks?)$/i, 7 * 86_400_000],
];

const UNIT =
  '(?:milliseconds?|millis|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|wks?|w)';
const PIECE = `(?:\\d+(?:\\.\\d+)?|(?:\\ban?|\\bone)(?=\\s))\\s*${UNIT}(?![A-Za-z])`;

/** `2 days 3 hours and 5 minutes`, `1h12m28.8s`, `an hour`, `36000s`, `3 hr 20 min`; as the source of an expression. */
export const DURATION = `${PIECE}(?:\\s*,?\\s*(?:and\\s+)?${PIECE})*`;

const WHOLE = new RegExp(`^\\s*${DURATION}\\s*$`, 'i');

/** Undefined where the text is not a duration and nothing else. */
export function durationMs(text: string): number | undefined {
  if (!WHOLE.test(text)) return undefined;
  return [...text.matchAll(/(\d+(?:\.\d+)?|\ban?\b|\bone\b)\s*([A-Za-z]+)/gi)].reduce(
    (total, [, count = '', unit = '']) =>
      total + (/^\d/.test(count) ? Number(count) : 1) * (UNIT_MS.find(([word]) => word.test(unit))?.[1] ?? 0),
    0,
  );
}
