/** Tells a process from a later one that got the same pid. A type, not an interface, so it is a JSON object. */
export type ProcessIdentity = {
  readonly pid: number;
  readonly startTime: string;
  readonly host: string;
};

/** An identity as it was noted in a journal, if the value is one. */
export function readIdentity(value: unknown): ProcessIdentity | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, startTime, host } = value as { readonly [key: string]: unknown };
  if (typeof pid !== 'number' || typeof startTime !== 'string' || typeof host !== 'string') return undefined;
  return { pid, startTime, host };
}
