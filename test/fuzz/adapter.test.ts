import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatAdapterProblem, parseDefinition } from '../../src/agents/definition/parse.ts';

const ADAPTERS = fileURLToPath(new URL('../../src/agents/adapters/', import.meta.url));
const shipped = readdirSync(ADAPTERS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && readdirSync(ADAPTERS + entry.name).includes('adapter.json'))
  .map(({ name }) => [name, readFileSync(`${ADAPTERS}${name}/adapter.json`, 'utf8')] as const);
const RUNS = 300;

/** Never throws, and whatever it cannot use it says with the file and what is wrong. */
function parses(text: string): void {
  const { definition, problems } = parseDefinition(text, 'x.json');
  if (definition === undefined) expect(problems).not.toEqual([]);
  for (const problem of problems) expect(formatAdapterProblem(problem)).toMatch(/^x\.json(:\d+)?: \S/);
}

it('any text and any JSON is an adapter or a list of problems', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json(), fc.json({ maxDepth: 6 })), parses), {
    numRuns: RUNS,
  });
});

it.each(shipped)('%s with any one field replaced is an adapter or a list of problems', (_, text) => {
  const paths = pathsIn(JSON.parse(text) as unknown);
  fc.assert(
    fc.property(fc.constantFrom(...paths), fc.jsonValue(), (path, value) =>
      parses(JSON.stringify(replaced(JSON.parse(text) as unknown, path, value))),
    ),
    { numRuns: RUNS },
  );
});

type Path = readonly (string | number)[];

function pathsIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const inside = Object.entries(value).flatMap(([key, part]) => pathsIn(part, [...at, key]));
  return [at, ...inside];
}

function replaced(document: unknown, [first, ...rest]: Path, value: unknown): unknown {
  if (first === undefined) return value;
  const parts = document as { [key: string]: unknown };
  parts[first] = replaced(parts[first], rest, value);
  return parts;
}
