import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../kernel/json.ts';
import { ProblemReport } from './problem.ts';
import { checkShape, manifestJsonSchema } from './schema.ts';

function shapeProblems(document: JsonObject): string[] {
  const report = new ProblemReport();
  checkShape(document, report);
  return report.problems.map((problem) => problem.message);
}

/** Every property that a schema declares, at any depth. */
function declared(schema: JsonValue | undefined, path = ''): { path: string; described: boolean }[] {
  if (Array.isArray(schema)) return schema.flatMap((entry) => declared(entry, path));
  if (!isJsonObject(schema)) return [];
  return Object.entries(schema).flatMap(([key, inner]) => {
    if (key !== 'properties' || !isJsonObject(inner)) return declared(inner, `${path}/${key}`);
    return Object.entries(inner).flatMap(([name, property]) => [
      {
        path: `${path}/${name}`,
        described: isJsonObject(property) && typeof property.description === 'string',
      },
      ...declared(property, `${path}/${name}`),
    ]);
  });
}

describe('the JSON Schema for editors', () => {
  const accepts = new Ajv({ strict: false }).compile(manifestJsonSchema());

  it('ENG-06 is shipped as it is generated', () => {
    const shipped: unknown = JSON.parse(
      readFileSync(new URL('../../schema/manifest.schema.json', import.meta.url), 'utf8'),
    );
    expect(shipped).toEqual(manifestJsonSchema());
  });

  it('ENG-06 describes every field', () => {
    const fields = declared(manifestJsonSchema().definitions);
    expect(fields.length).toBeGreaterThan(40);
    expect(fields.filter(({ described }) => !described)).toEqual([]);
  });

  it('ENG-06 accepts exactly what validation accepts', () => {
    let accepted = 0;
    let rejected = 0;
    fc.assert(
      fc.property(mutated, (document) => {
        const problems = shapeProblems(document);
        expect(accepts(document), JSON.stringify({ document, problems })).toBe(problems.length === 0);
        if (problems.length === 0) accepted++;
        else rejected++;
      }),
      { numRuns: 3000, seed: 11 },
    );
    // A generator that makes only one kind would prove nothing.
    expect(Math.min(accepted, rejected)).toBeGreaterThan(300);
  });
});

const name = fc.constantFrom('A', 'B', 'nodes', 'budget', 'workers', 'entry_block', 'X__Y');
const text = fc.constantFrom('w', 'S', 'RETURN', 'text', 'x');
const json: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(null, 1, 'x', true, [], {}, { a: [1] });
const amount = fc.constantFrom(0, 1, 2.5, 1000);
const whole = fc.constantFrom(0, 1, 7);
const some = { requiredKeys: [] };

const anyBlock = fc.record(
  {
    worker: text,
    transitions: fc.array(
      fc.record(
        { on_signal: text, action: text, guard: json, bind_args: json },
        { requiredKeys: ['on_signal', 'action'] },
      ),
      { maxLength: 2 },
    ),
    description: text,
    payload_merge_strategy: fc.array(text, { maxLength: 2 }),
    instructions: text,
    with: fc.dictionary(name, json, { maxKeys: 2 }),
    artifacts: fc.array(text, { maxLength: 2 }),
    validationSchema: text,
    signalFrom: text,
    limits: fc.record(
      { visits: whole, minutes: fc.constantFrom(0.5, 3), sameFailure: fc.constantFrom(1, 3) },
      some,
    ),
  },
  { requiredKeys: ['worker', 'transitions'] },
);
const anyNode = fc.record(
  {
    entry_block: text,
    blocks: fc.dictionary(name, anyBlock, { maxKeys: 2 }),
    description: text,
    context_inheritance: fc.boolean(),
    static_memory: fc.dictionary(name, json, { maxKeys: 2 }),
  },
  { requiredKeys: ['entry_block', 'blocks'] },
);
const nodes = fc.dictionary(name, anyNode, { maxKeys: 2 });
const body = fc.record(
  {
    nodes,
    $schema: text,
    description: text,
    workers: fc.dictionary(
      name,
      fc.record(
        {
          persona: text,
          command: fc.array(text, { minLength: 1, maxLength: 2 }),
          agent: text,
          agents: fc.array(text, { minLength: 1, maxLength: 2 }),
          mode: fc.constantFrom('headless', 'interactive'),
          model: text,
          permissions: fc.constantFrom('ask', 'edits', 'all'),
        },
        some,
      ),
      { maxKeys: 2 },
    ),
    budget: fc.record({ steps: whole, tokens: whole, usd: amount, minutes: amount }, some),
    gates: fc.array(text, { maxLength: 2 }),
    schemas: fc.dictionary(name, fc.constantFrom({}, { type: 'string' }), { maxKeys: 2 }),
  },
  { requiredKeys: ['nodes'] },
);
const wrong: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(
  null,
  -1,
  0,
  1.5,
  '',
  'FALSE',
  true,
  [],
  ['x'],
  {},
  { entry_block: 'x' },
);

/** A valid document, or one with a member at a random place replaced, removed or added. */
const mutated = fc
  .record({
    document: fc.oneof(nodes, body),
    way: fc.array(fc.nat(), { maxLength: 6 }),
    wrong,
    kind: fc.nat(5),
  })
  .map(({ document, way, wrong: value, kind }) => {
    const copy: JsonValue = JSON.parse(JSON.stringify(document));
    const mutant = kind < 2 ? copy : mutate(copy, way, value, kind);
    return isJsonObject(mutant) ? mutant : {};
  });

function mutate(value: JsonValue, way: readonly number[], wrongValue: JsonValue, kind: number): JsonValue {
  const [turn, ...rest] = way;
  if (turn === undefined)
    return kind === 2 && isJsonObject(value) ? { ...value, unknown: wrongValue } : wrongValue;
  const entries = Object.entries<JsonValue>(JSON.parse(JSON.stringify(value ?? {})));
  const [key] = entries[turn % Math.max(1, entries.length)] ?? [];
  if (key === undefined) return wrongValue;
  const changed = entries.flatMap(([other, member]): [string, JsonValue][] => {
    if (other !== key) return [[other, member]];
    if (kind === 3 && rest.length === 0) return [];
    return [[other, mutate(member, rest, wrongValue, kind)]];
  });
  return Array.isArray(value) ? changed.map(([, member]) => member) : Object.fromEntries(changed);
}
