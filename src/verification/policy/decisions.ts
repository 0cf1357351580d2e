import { isJsonObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { wholeJson } from '../../manifest/output/whole-json.ts';
import type { Violation } from '../report.ts';
import { isSafePath } from './violations.ts';

export type PathDecision = 'allow' | 'discard' | 'deny';

export interface PathDecisions {
  readonly allow: readonly string[];
  readonly discard: readonly string[];
  readonly deny: readonly string[];
}

/**
 * What a model said about the violating paths, held to hard rules: only paths that are violating now, only safe
 * ones, and a denied path stays denied whatever was said. An answer that cannot be read decides nothing.
 */
export function readDecisions(text: string, violations: readonly Violation[]): PathDecisions {
  const said = decisionsOf(text);
  const decided: { [decision in PathDecision]: string[] } = { allow: [], discard: [], deny: [] };
  for (const { path, why } of violations) {
    const decision = said.get(path);
    if (decision === undefined) continue;
    if (decision === 'allow' && (why === 'denied' || !isSafePath(path))) decided.deny.push(path);
    else decided[decision].push(path);
  }
  return decided;
}

/** Only an answer that is nothing but decisions decides: one quoted in a text may be anybody's. */
function decisionsOf(text: string): Map<string, PathDecision> {
  const value = wholeJson(text);
  return value === undefined ? new Map() : decisionsIn(value);
}

/** A list of `{ path, decision }`, `{ allow: [...], discard: [...] }`, or `{ "the/path": "allow" }`. */
function decisionsIn(value: JsonValue): Map<string, PathDecision> {
  if (Array.isArray(value)) return new Map(value.flatMap(entryOf));
  if (!isJsonObject(value)) return new Map();
  if (Array.isArray(value.decisions)) return new Map(value.decisions.flatMap(entryOf));
  return new Map(Object.entries(isJsonObject(value.decisions) ? value.decisions : value).flatMap(pairsOf));
}

function entryOf(entry: JsonValue): [string, PathDecision][] {
  if (!isJsonObject(entry) || typeof entry.path !== 'string') return [];
  const decision = decisionOf(wordOf(entry));
  return decision ? [[plain(entry.path), decision]] : [];
}

function wordOf({ decision, action, verdict }: JsonObject): JsonValue | undefined {
  return decision ?? action ?? verdict;
}

function pairsOf([key, value]: [string, JsonValue | undefined]): [string, PathDecision][] {
  const group = decisionOf(key);
  if (group && Array.isArray(value)) {
    return value.flatMap((path) => (typeof path === 'string' ? [[plain(path), group]] : []));
  }
  const decision = decisionOf(value);
  return decision ? [[plain(key), decision]] : [];
}

function decisionOf(word: JsonValue | undefined): PathDecision | undefined {
  const said = typeof word === 'string' ? word.trim().toLowerCase() : '';
  return said === 'allow' || said === 'discard' || said === 'deny' ? said : undefined;
}

function plain(path: string): string {
  return path.trim().replace(/^\.\//, '');
}
