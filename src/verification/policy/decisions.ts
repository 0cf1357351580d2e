import { isJsonObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { wholeJson } from '../../manifest/output/whole-json.ts';
import { isLikelyGenerated } from '../changes/generated-paths.ts';
import type { Violation } from '../report.ts';
import type { TaskTree } from '../task-tree.ts';
import { isSafePath } from './violations.ts';

export type PathDecision = 'allow' | 'discard' | 'deny';

export interface PathDecisions {
  readonly allow: readonly string[];
  readonly discard: readonly string[];
  readonly deny: readonly string[];
}

/**
 * What a model said about the violating paths, held to hard rules: only paths that are violating now, only safe
 * ones, and a denied or a protected path stays closed whatever was said. An answer that cannot be read decides nothing.
 */
export function readDecisions(text: string, violations: readonly Violation[]): PathDecisions {
  const said = decisionsOf(text);
  const decided: { [decision in PathDecision]: string[] } = { allow: [], discard: [], deny: [] };
  for (const { path, why } of violations) {
    const decision = said.get(path);
    if (decision === undefined) continue;
    if (decision === 'allow' && (why !== 'outside' || !isSafePath(path))) decided.deny.push(path);
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

interface Discardable {
  /** May be undone: ignored, a likely product of a run, or unknown to the base. */
  readonly discard: readonly string[];
  /** Worth remembering when it is undone. */
  readonly learn: ReadonlySet<string>;
}

/** Which violating paths are products and no work: a file that the base knows and that looks like source is left alone. */
export async function discardable(
  paths: readonly string[],
  tree: Pick<TaskTree, 'ignored' | 'tracked'>,
  options: { readonly all: boolean },
): Promise<Discardable> {
  const [ignored, tracked] = await Promise.all([tree.ignored(paths), tree.tracked(paths)]);
  const discard = paths.filter(
    (path) => options.all || ignored.has(path) || isLikelyGenerated(path) || !tracked.has(path),
  );
  // A file that the base knows is somebody's work: undone here, but not hidden from every task to come.
  const learn = discard.filter((path) => isLikelyGenerated(path) && !tracked.has(path));
  return { discard, learn: new Set(learn) };
}
