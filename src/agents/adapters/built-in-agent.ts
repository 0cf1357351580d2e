import type { AgentStream } from '../adapter.ts';
import type { StreamContext } from './stream/context.ts';

export type OpenStream = (context: StreamContext) => AgentStream;

/** Everything loopwright knows about one agent CLI; `adapter.ts` in the folder of each exports one. */
export interface BuiltInAgent {
  /** How it is found, launched and asked; checked when it is first used. */
  readonly definition: unknown;
  /** Readers of what it prints, by the name that a definition uses. */
  readonly streams?: { readonly [name: string]: OpenStream };
  /** Those that can also hold a dialogue: they carry the prompt, and answers to questions. */
  readonly dialogues?: { readonly [name: string]: OpenStream };
}
