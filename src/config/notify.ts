import * as z from 'zod';
import { safeUrl } from './safe-url.ts';
import { strictObject } from './strict-object.ts';
import type { Environment } from './terminal.ts';

/** What a person may be told of: something waits for them, or is done. */
export const NOTIFY_EVENTS = ['question', 'halted', 'failed', 'parked', 'judge', 'finished'] as const;
export type NotifyEvent = (typeof NOTIFY_EVENTS)[number];

const text = z.string().min(1);

const webhook = strictObject({
  url: safeUrl,
  /** The header that carries the secret. */
  header: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'must be the name of a header')
    .exactOptional(),
  /** The variable that holds the secret; the secret itself belongs in no file. */
  secret: text.exactOptional(),
});

export const notifyShape = strictObject({
  command: z.array(text).min(1).exactOptional(),
  webhook: webhook.exactOptional(),
  events: z.array(z.enum(NOTIFY_EVENTS)).exactOptional(),
  /** A pause shorter than this is no news. */
  parkedMinutes: z.number().nonnegative().exactOptional(),
});

export interface NotifySettings {
  readonly command?: readonly string[];
  readonly webhook?: { readonly url: string; readonly header: string; readonly secret?: WebhookSecret };
  readonly events: readonly NotifyEvent[];
  readonly parkedMs: number;
}

export interface WebhookSecret {
  readonly variable: string;
  /** Absent: the variable is not set. */
  readonly value?: string;
}

const HEADER = 'X-Loopwright-Secret';
const PARKED_MINUTES = 30;
const MINUTE = 60_000;

export function notifySettings(
  said: z.infer<typeof notifyShape> = {},
  env: Environment = {},
): NotifySettings {
  const { command, webhook: hook, events = NOTIFY_EVENTS, parkedMinutes = PARKED_MINUTES } = said;
  const value = hook?.secret === undefined ? undefined : env[hook.secret];
  const secret =
    hook?.secret === undefined ? {} : { secret: { variable: hook.secret, ...(value ? { value } : {}) } };
  return {
    ...(command ? { command } : {}),
    ...(hook ? { webhook: { url: hook.url, header: hook.header ?? HEADER, ...secret } } : {}),
    events,
    parkedMs: parkedMinutes * MINUTE,
  };
}
