import { UsageError } from '../../kernel/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';

interface StubAnswer {
  readonly signal: string;
  readonly segments: readonly StubSegment[];
}

interface StubSegment {
  readonly type: string;
  readonly content: JsonValue;
  readonly extra: JsonObject;
}

export interface Scenario {
  readonly start: string | undefined;
  readonly goal: string | undefined;
  readonly inputs: JsonObject;
  readonly blocks: { readonly [block: string]: readonly StubAnswer[] };
  readonly expect: { readonly status?: string; readonly path?: readonly string[] } | undefined;
}

const KEYS = ['$schema', 'description', 'start', 'goal', 'inputs', 'blocks', 'expect'];
const ANSWER_KEYS = ['description', 'signal', 'segments'];
const EXPECT_KEYS = ['status', 'path'];

/** Reads a stub file; the message names the place that is wrong. */
export function readScenario(document: unknown, file: string): Scenario {
  const wrong = (place: string, what: string): UsageError =>
    new UsageError(`${file}: ${place} ${what}`, { next: FORM });
  if (!isJsonObject(document)) throw wrong('the stub file', 'is not an object.');
  refuseUnknown(document, KEYS, '', wrong);
  const { blocks, expect, inputs = {} } = document;
  if (!isJsonObject(blocks)) throw wrong('"blocks"', 'must be an object with a list of answers per block.');
  if (!isJsonObject(inputs)) throw wrong('"inputs"', 'must be an object.');
  const answers = Object.entries(blocks).map(([block, list]) => {
    if (!Array.isArray(list)) throw wrong(`"${block}"`, 'must be a list of answers.');
    return [block, list.map((entry, index) => readAnswer(entry, `"${block}"[${index}]`, wrong))] as const;
  });
  return {
    start: optionalText(document['start'], '"start"', wrong),
    goal: optionalText(document['goal'], '"goal"', wrong),
    inputs,
    blocks: Object.fromEntries(answers),
    expect: expect === undefined ? undefined : readExpectation(expect, wrong),
  };
}

/** Names in the stub file that the manifest does not have. */
export function checkBlocks(scenario: Scenario, manifest: ResolvedManifest, file: string): void {
  const known = Object.keys(manifest.blocks);
  for (const block of [...Object.keys(scenario.blocks), ...(scenario.expect?.path ?? [])]) {
    if (known.includes(block)) continue;
    throw new UsageError(`${file}: the workflow has no block "${block}".${didYouMean(block, known)}`, {
      next: `Its blocks are: ${known.join(', ')}.`,
    });
  }
}

const FORM =
  'A stub file is { "start": "Node", "blocks": { "Node__Block": [ { "signal": "SIGNAL:SUCCESS" } ] }, "expect": { "status", "path" } }.';

type Wrong = (place: string, what: string) => UsageError;

/** A key with a typo would be an expectation that is never checked. */
function refuseUnknown(value: JsonObject, known: readonly string[], place: string, wrong: Wrong): void {
  const key = Object.keys(value).find((name) => !known.includes(name));
  if (key !== undefined) throw wrong(`${place}"${key}"`, `is not known here.${didYouMean(key, known)}`);
}

function readAnswer(entry: unknown, place: string, wrong: Wrong): StubAnswer {
  if (!isJsonObject(entry)) throw wrong(place, 'must be an object with a "signal".');
  refuseUnknown(entry, ANSWER_KEYS, `${place}.`, wrong);
  const { signal, segments = [] } = entry;
  if (typeof signal !== 'string' || signal === '') throw wrong(place, 'has no "signal".');
  if (!Array.isArray(segments)) throw wrong(`${place}.segments`, 'must be a list.');
  return {
    signal,
    segments: segments.map((segment, index) => readSegment(segment, `${place}.segments[${index}]`, wrong)),
  };
}

function readSegment(value: unknown, place: string, wrong: Wrong): StubSegment {
  if (!isJsonObject(value)) throw wrong(place, 'must be an object with "type" and "content".');
  const { type, content, ...extra } = value;
  if (typeof type !== 'string' || type === '') throw wrong(place, 'has no "type".');
  if (content === undefined) throw wrong(place, 'has no "content".');
  return { type, content, extra };
}

function readExpectation(value: unknown, wrong: Wrong): NonNullable<Scenario['expect']> {
  if (!isJsonObject(value)) throw wrong('"expect"', 'must be an object with "status" and "path".');
  refuseUnknown(value, EXPECT_KEYS, 'expect.', wrong);
  const status = optionalText(value['status'], '"expect.status"', wrong);
  const { path } = value;
  if (path !== undefined && !isTextList(path)) throw wrong('"expect.path"', 'must be a list of block names.');
  return { ...(status === undefined ? {} : { status }), ...(path === undefined ? {} : { path }) };
}

function optionalText(value: JsonValue | undefined, place: string, wrong: Wrong): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw wrong(place, 'must be a text.');
}

function isTextList(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
