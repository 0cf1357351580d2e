import * as z from 'zod';
import { didYouMean } from '../kernel/suggest.ts';

/** An object that refuses keys it does not know: a setting that is misspelt would be ignored in silence. */
export function strictObject<S extends z.core.$ZodLooseShape>(shape: S): z.ZodObject<S, z.core.$strict> {
  const known = Object.keys(shape);
  const complaint = (key: string) => `the key "${key}" is not known here.${didYouMean(key, known)}`;
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? issue.keys.map(complaint).join(' ') : undefined),
  });
}
