import type { JsonObject } from '../kernel/json.ts';
import { withoutKeys } from '../kernel/key-shapes.ts';
import { createMasker } from '../kernel/mask.ts';
import { maskJson } from '../kernel/mask-json.ts';
import type { OpenProject } from './open.ts';

type Secrets = Pick<OpenProject, 'config'>;

/** Words that are stored and shown hold no secret: neither a known one nor one that its shape gives away. */
export function maskedText({ config }: Secrets, text: string): string {
  return withoutKeys(createMasker(config.secretValues).mask(text));
}

/** The same for every text of a draft; what has the wrong type is left for whoever checks it. */
export function masked<T extends object>({ config }: Secrets, draft: T): T {
  const masker = createMasker(config.secretValues);
  const mask = (text: string): string => withoutKeys(masker.mask(text));
  return maskJson({ ...masker, mask }, draft as unknown as JsonObject) as unknown as T;
}
