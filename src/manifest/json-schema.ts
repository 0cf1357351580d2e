import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { errorMessage } from '../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../kernel/json.ts';

type AjvModule = typeof import('ajv/dist/2020.js') | typeof import('ajv');
type Compiler = { compile(schema: JsonObject): ValidateFunction };

const require = createRequire(import.meta.url);
const compilers = new Map<string, Compiler>();
const validators = new WeakMap<JsonObject, ValidateFunction>();

const MAX_PROBLEMS = 20;

/** Problems of a value against a JSON Schema, each naming the place; none when it matches. */
export function schemaProblems(schema: JsonObject, value: JsonValue): string[] {
  const validate = validatorFor(schema);
  if (validate(value)) return [];
  const errors = validate.errors ?? [];
  const shown = errors.slice(0, MAX_PROBLEMS).map(describe);
  return errors.length > MAX_PROBLEMS ? [...shown, `and ${errors.length - MAX_PROBLEMS} more`] : shown;
}

/** Why this is not a usable JSON Schema, or undefined. */
export function unusableSchema(schema: JsonObject): string | undefined {
  if ('$async' in schema) return '"$async" schemas are not supported';
  try {
    validatorFor(schema);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

function validatorFor(schema: JsonObject): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  const validate = compilerFor(schema).compile(schema);
  validators.set(schema, validate);
  return validate;
}

/** Loads ajv on first use: it costs more than everything else a short command does. */
function compilerFor(schema: JsonObject): Compiler {
  const old = typeof schema.$schema === 'string' && /draft-0[67]/.test(schema.$schema);
  const name = old ? 'ajv' : 'ajv/dist/2020.js';
  const loaded = compilers.get(name);
  if (loaded) return loaded;
  const { default: Ajv } = require(name) as AjvModule;
  // Schemas are the user's own and may repeat an $id; nothing is registered between them.
  const compiler = new Ajv({ allErrors: true, strict: false, logger: false, addUsedSchema: false });
  compilers.set(name, compiler);
  return compiler;
}

function describe({ instancePath, message, keyword, params }: ErrorObject): string {
  const detail = DETAILS[keyword]?.(params) ?? '';
  return `${instancePath || 'the output'} ${message ?? 'does not match'}${detail}`;
}

const DETAILS: { readonly [keyword: string]: (params: { readonly [key: string]: unknown }) => string } = {
  enum: ({ allowedValues }) => `: ${JSON.stringify(allowedValues)}`,
  const: ({ allowedValue }) => `: ${JSON.stringify(allowedValue)}`,
  additionalProperties: ({ additionalProperty }) => `: ${JSON.stringify(additionalProperty)}`,
};
