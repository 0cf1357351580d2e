import type { JsonValue } from '../../kernel/json.ts';
import { inside, type Place, type ProblemReport } from '../problem.ts';

const MAX_DEPTH = 100;

/**
 * A copy of our own, so that freezing it leaves the caller's objects alone, and certainly JSON: a manifest
 * built by a program may hold a function or a cycle, which could not be stored with the session.
 */
export function copyJson(value: unknown, report: ProblemReport): JsonValue | undefined {
  return copy(value, { path: [] }, report);
}

function copy(value: unknown, place: Place, report: ProblemReport): JsonValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (place.path.length > MAX_DEPTH) {
    report.error(place, `This is nested deeper than ${MAX_DEPTH} levels; a manifest is flatter.`);
    return undefined;
  }
  if (Array.isArray(value)) {
    return value.map((entry, index) => copy(entry, inside(place, index), report) ?? null);
  }
  if (isPlainObject(value)) return copyObject(value, place, report);
  report.error(place, `A manifest is JSON; ${nameOf(value)} cannot be part of it.`);
  return undefined;
}

function copyObject(value: object, place: Place, report: ProblemReport): JsonValue {
  const result: { [key: string]: JsonValue } = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    if (key === '__proto__') {
      report.error(inside(place, key), 'The key "__proto__" is not allowed; choose another name.');
      continue;
    }
    const copied = copy(member, inside(place, key), report);
    if (copied !== undefined) result[key] = copied;
  }
  return result;
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function nameOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) return `an instance of ${value.constructor.name}`;
  return typeof value === 'function' ? 'a function' : String(value);
}
