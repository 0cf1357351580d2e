import type { AdapterDefinition } from '../../definition/shape.ts';
import type { AgentError } from '../../event.ts';
import { resetTime } from '../reset/reset-time.ts';

/**
 * What a definition says that its CLI's words mean. It is believed whatever the exit code, so such a pattern must be as
 * narrow as the CLI's own words.
 */
export class OwnErrors {
  readonly #patterns: readonly { readonly pattern: RegExp; readonly kind: AgentError['kind'] }[];

  constructor(errors: AdapterDefinition['errors'] = []) {
    this.#patterns = errors.map(({ pattern, kind }) => ({ kind, pattern: new RegExp(pattern, 'iu') }));
  }

  /** The error that the text tells of, by the first pattern that fits. */
  in(text: string, now: number): AgentError | undefined {
    const found = this.#patterns.find(({ pattern }) => pattern.test(text));
    if (!found) return undefined;
    const resetAt = found.kind === 'quota' ? resetTime(text, now) : undefined;
    const message = text.trim();
    return { type: 'error', kind: found.kind, message, ...(resetAt === undefined ? {} : { resetAt }) };
  }
}
