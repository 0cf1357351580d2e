import * as z from 'zod';

const PLACEHOLDER = /^\{\{ *config\.[^{} ]+ *\}\}$/;

const placeholder = z.string().regex(PLACEHOLDER, { abort: true }) as z.ZodType<`{{config.${string}}}`>;

/** A number that may be left to the configuration: the one placeholder that is known when a manifest is loaded. */
export function orConfig(number: z.ZodNumber): z.ZodUnion<[z.ZodNumber, typeof placeholder]> {
  return z.union([number, placeholder]);
}
