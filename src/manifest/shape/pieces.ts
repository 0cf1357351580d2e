import * as z from 'zod';
import type { JsonValue } from '../../kernel/json.ts';
import { loaderProblem } from '../../kernel/loader-variables.ts';
import { suggest } from '../../kernel/suggest.ts';
import { quote } from '../problem.ts';

/** An object that refuses keys it does not know: a typo there is the usual mistake. */
export function strictObject<S extends z.core.$ZodLooseShape>(shape: S): z.ZodObject<S, z.core.$strict> {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => unknownKey(key, known)).join(' ')
        : undefined,
  });
}

function unknownKey(key: string, known: readonly string[]): string {
  const meant = suggest(key, known);
  const right = meant === undefined ? `Known keys are ${known.join(', ')}.` : `Did you mean "${meant}"?`;
  return `The key ${quote(key)} is not known here. ${right}`;
}

const PLACEHOLDER = /^\{\{ *config\.[^{} ]+ *\}\}$/;

const placeholder = z.string().regex(PLACEHOLDER, { abort: true }) as z.ZodType<`{{config.${string}}}`>;

/** A number that may be left to the configuration: the one placeholder that is known when a manifest is loaded. */
export function orConfig(number: z.ZodNumber): z.ZodUnion<[z.ZodNumber, typeof placeholder]> {
  return z.union([number, placeholder]);
}

// The document was checked to be JSON before any shape sees it, so a member can be nothing else.
const jsonValue = z.unknown() as z.ZodType<JsonValue>;

/** Any JSON object. */
export const jsonObject = z.record(z.string(), jsonValue);

/** Variables for a child. Those that make programs load others are not for a manifest to set. */
export const variables = z.record(z.string(), z.string()).check(({ value, issues }) => {
  const message = loaderProblem(value);
  if (message !== undefined) issues.push({ code: 'custom', input: value, message: `${message}.` });
});
