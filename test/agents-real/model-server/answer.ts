import { randomUUID } from 'node:crypto';
import type { TokenCount } from '../../../src/agents/event.ts';

/** What the model says to one call, in the words of one API. */
export interface Answer {
  readonly api: Api;
  readonly model: string;
  /** The tools the CLI offered. */
  readonly tools: readonly string[];
  readonly prompts: readonly string[];
  /** The one that is called, if any. */
  readonly tool: string | undefined;
  readonly streamed: boolean;
  readonly json: object;
  /** The same as server-sent events. */
  readonly frames: readonly string[];
}

export type Api = 'anthropic' | 'openai' | 'gemini';

/** Every answer costs the same, so a run's usage is this times its answered calls. */
export const PER_ANSWER: TokenCount = { input: 1200, cached: 200, output: 34 };

export function newId(prefix: string): string {
  return prefix + randomUUID().replaceAll('-', '').slice(0, 24);
}

export function sse(data: object, event?: string): string {
  return `${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`;
}
