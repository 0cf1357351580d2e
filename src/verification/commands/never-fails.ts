const NEVER: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/(?:\|\||;)\s*(?:true|:|exit\s+0)\s*$/, 'what stands at its end hides every failure'],
  [/^(?:true|:)$/, 'it does nothing'],
  [/^exit(?:\s+0)?$/, 'it does nothing'],
];

/** Why the pass of a command proves nothing, or undefined. */
export function neverFails(command: string): string | undefined {
  return NEVER.find(([pattern]) => pattern.test(command.trim()))?.[1];
}
