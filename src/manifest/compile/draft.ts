import type * as z from 'zod';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import type { Budget, RosterDefinition } from '../definition.ts';
import { inside, type PathStep, type Place } from '../problem.ts';
import { blockShape, nodeShape, transitionShape } from '../shape/block.ts';
import { budgetShape, isBody, rosterShape } from '../shape/manifest.ts';

// Read member by member instead.
const nodeFields = nodeShape.omit({ blocks: true });
const blockFields = blockShape.omit({ transitions: true, returns: true, payload_merge_strategy: true });

/**
 * What can be read of a manifest that may be broken: each part of the right type is kept, the rest is left
 * out. So a mistake in one field hides no mistake elsewhere, and the checks that follow need no doubts.
 */
export interface Draft {
  readonly nodes: readonly DraftNode[];
  readonly workers: { readonly [name: string]: RosterDefinition };
  readonly budget: Budget;
  /** `undefined` keeps the index of what could not be read. */
  readonly gates: readonly (string | undefined)[];
  readonly schemas: { readonly [name: string]: JsonObject };
}

export interface DraftNode {
  readonly id: string;
  readonly place: Place;
  readonly fields: Partial<z.output<typeof nodeFields>>;
  readonly blocks: readonly DraftBlock[];
}

export interface DraftBlock {
  readonly node: string;
  /** As written in the map: the block's own name or its full id. */
  readonly key: string;
  readonly name: string;
  readonly id: string;
  readonly place: Place;
  readonly fields: Partial<z.output<typeof blockFields>>;
  readonly transitions: readonly Partial<z.output<typeof transitionShape>>[];
  readonly returns: readonly Partial<z.output<typeof transitionShape>>[] | undefined;
  readonly strategy: readonly (string | undefined)[];
}

export function readDraft(document: JsonObject): Draft {
  const body = isBody(document);
  const path = body ? ['nodes'] : [];
  const { $schema: _, ...dictionary } = document;
  return {
    nodes: members(body ? document.nodes : dictionary).map(([id, raw]) => readNode(id, raw, [...path, id])),
    workers: readableMembers(rosterShape, body ? document.workers : {}),
    budget: readable(budgetShape, body ? document.budget : {}),
    gates: texts(body ? document.gates : []),
    schemas: Object.fromEntries(members(body ? document.schemas : {}).filter(isNamedObject)),
  };
}

function readNode(id: string, raw: unknown, path: PathStep[]): DraftNode {
  const place = { node: id, path };
  const blocks = isJsonObject(raw) ? members(raw.blocks) : [];
  return {
    id,
    place,
    fields: readable(nodeFields, raw),
    blocks: blocks.map(([key, block]) => readBlock(id, key, block, inside(place, 'blocks', key))),
  };
}

function readBlock(node: string, key: string, raw: unknown, place: Place): DraftBlock {
  const prefix = `${node}__`;
  const name = key.startsWith(prefix) ? key.slice(prefix.length) : key;
  const { transitions, returns, payload_merge_strategy } = isJsonObject(raw) ? raw : {};
  return {
    node,
    key,
    name,
    id: `${prefix}${name}`,
    place: { ...place, block: key },
    fields: readable(blockFields, raw),
    transitions: list(transitions).map((transition) => readable(transitionShape, transition)),
    returns: returns === undefined ? undefined : list(returns).map((each) => readable(transitionShape, each)),
    strategy: texts(payload_merge_strategy),
  };
}

/** The fields of an object that have the right type. */
function readable<S extends z.core.$ZodLooseShape>(
  shape: z.ZodObject<S>,
  raw: unknown,
): Partial<z.output<z.ZodObject<S>>> {
  if (!isJsonObject(raw)) return {};
  const fields: { [key: string]: unknown } = {};
  for (const [key, field] of Object.entries<z.ZodType>(shape.shape)) {
    if (raw[key] === undefined) continue;
    const parsed = field.safeParse(raw[key]);
    if (parsed.success) fields[key] = parsed.data;
  }
  return fields as Partial<z.output<z.ZodObject<S>>>;
}

function readableMembers<S extends z.core.$ZodLooseShape>(
  shape: z.ZodObject<S>,
  raw: unknown,
): { [name: string]: Partial<z.output<z.ZodObject<S>>> } {
  return Object.fromEntries(members(raw).map(([name, member]) => [name, readable(shape, member)]));
}

function members(raw: unknown): [string, unknown][] {
  return isJsonObject(raw) ? Object.entries(raw) : [];
}

function isNamedObject(member: [string, unknown]): member is [string, JsonObject] {
  return isJsonObject(member[1]);
}

function list(raw: unknown): readonly unknown[] {
  return Array.isArray(raw) ? raw : [];
}

function texts(raw: unknown): (string | undefined)[] {
  return list(raw).map((entry) => (typeof entry === 'string' ? entry : undefined));
}
