export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Freezes a JSON-like value all the way down; stops at what is frozen already, so repeated calls are cheap. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}

/**
 * Checks that a value is JSON through and through and freezes it. Returns the reason when it is not, so that
 * a worker's odd answer is found where it enters and not when the journal is written.
 */
export function freezeJson(value: unknown, depth = 0): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : `${value} is not a JSON number`;
    case 'object':
      return value === null ? undefined : freezeContainer(value, depth);
    default:
      return `a ${typeof value} is not JSON`;
  }
}

const MAX_DEPTH = 200;

function freezeContainer(value: object, depth: number): string | undefined {
  if (depth > MAX_DEPTH) return `it is nested more than ${MAX_DEPTH} levels deep, or contains itself`;
  if (!Array.isArray(value) && !isPlain(value)) return `a ${value.constructor.name} is not a plain object`;
  for (const inner of Object.values(value)) {
    if (inner === undefined && !Array.isArray(value)) continue;
    const reason = freezeJson(inner, depth + 1);
    if (reason !== undefined) return reason;
  }
  Object.freeze(value);
  return undefined;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
