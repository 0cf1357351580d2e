import * as z from 'zod';
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
