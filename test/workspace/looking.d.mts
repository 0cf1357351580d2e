export const LOOKING_PATTERNS: string;
export const EVERY: boolean;
export function onlyLooks(args: readonly string[]): boolean;
