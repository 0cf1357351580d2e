import { isJsonObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import { unusableSchema } from '../json-schema.ts';
import { builtInSchemas } from '../output-schema.ts';
import { inside, type ProblemReport, quote } from '../problem.ts';
import { signalOfValue } from '../worker.ts';
import type { Draft, DraftBlock } from './draft.ts';

export type Schemas = { readonly [name: string]: JsonObject };

/** All schemas a block can name: those of the manifest win over the program's, those over the built-in ones. */
export function gatherSchemas(draft: Draft, given: Schemas | undefined, report: ProblemReport): Schemas {
  for (const [name, schema] of Object.entries(draft.schemas)) {
    const reason = unusableSchema(schema);
    if (reason === undefined) continue;
    report.error(
      { path: ['schemas', name] },
      `Schema ${quote(name)} is not a usable JSON Schema: ${reason}.`,
    );
  }
  // The program's own objects must not be frozen with the manifest.
  return { ...builtInSchemas, ...structuredClone(given), ...draft.schemas };
}

/** Reports a `validationSchema` that names nothing and a `signalFrom` that cannot decide the way. */
export function checkSchemas(block: DraftBlock, schemas: Schemas, report: ProblemReport): void {
  const { validationSchema: name, signalFrom: field } = block.fields;
  const schema = name !== undefined && Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  if (name !== undefined && !schema) {
    const hint = didYouMean(name, Object.keys(schemas));
    report.error(
      inside(block.place, 'validationSchema'),
      `There is no schema ${quote(name)}; declare it under "schemas" or name one of ${Object.keys(schemas).join(', ')}.${hint}`,
    );
  }
  if (field === undefined) return;
  const place = inside(block.place, 'signalFrom');
  if (name === undefined) {
    report.error(
      place,
      'signalFrom needs a validationSchema: only output of a known shape can decide the way.',
    );
    return;
  }
  if (!schema) return;
  const values = signalValues(schema, field);
  if (typeof values === 'string') report.error(place, `Schema ${quote(name)}: ${values}`);
  else checkWays(block, field, values, report);
}

/** The values a field can have, or what keeps it from deciding the way. */
function signalValues(schema: JsonObject, field: string): (string | boolean)[] | string {
  if (schema.type !== 'object') return `signalFrom needs a schema of type "object".`;
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const property = Object.hasOwn(properties, field) ? properties[field] : undefined;
  if (!isJsonObject(property)) {
    return `it has no property ${quote(field)}.${didYouMean(field, Object.keys(properties))}`;
  }
  if (!Array.isArray(schema.required) || !schema.required.includes(field)) {
    return `${quote(field)} must be in "required", or the output could leave it out.`;
  }
  const values: readonly JsonValue[] = Array.isArray(property.enum) ? property.enum : [];
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.length > 0 && texts.length === values.length) return texts;
  if (property.type === 'boolean' && property.enum === undefined) return [true, false];
  return `${quote(field)} must be an enum of texts or a boolean.`;
}

function checkWays(
  block: DraftBlock,
  field: string,
  values: readonly (string | boolean)[],
  report: ProblemReport,
): void {
  const place = inside(block.place, 'signalFrom');
  const bySignal = new Map<string, string | boolean>();
  for (const value of values) {
    const signal = signalOfValue(value);
    const other = bySignal.get(signal);
    if (other !== undefined && other !== value) {
      report.error(place, `${quote(other)} and ${quote(value)} both become ${signal}; rename one value.`);
    }
    bySignal.set(signal, value);
  }
  const handled = new Set(block.transitions.map((transition) => transition.on_signal));
  const missing = [...bySignal.keys()].filter((signal) => !handled.has(signal));
  if (missing.length === 0) return;
  report.error(
    inside(block.place, 'transitions'),
    `signalFrom ${quote(field)} needs a transition for every value; missing: ${missing.join(', ')}.`,
  );
}
