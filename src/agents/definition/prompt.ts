import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { UsageError } from '../../kernel/errors.ts';
import type { LaunchFile } from '../adapter.ts';
import type { ModeDefinition } from './shape.ts';

/** Linux takes no single argument of 128 KiB or more (MAX_ARG_STRLEN); the flag before it needs some room. */
export const LONGEST_PROMPT_BYTES = 127 * 1024;

export interface PlacedPrompt {
  /** The text for the agent. */
  readonly text: string;
  /** What the text refers to. */
  readonly file?: LaunchFile;
  /** It is written to standard input and stands in no argument. */
  readonly asInput?: true;
}

export interface PromptPlaces {
  readonly input: ModeDefinition['promptInput'];
  readonly filesDir: string | undefined;
}

/**
 * A prompt that no argument can hold, or that the CLI would not take from one as it is, goes over standard input; where
 * the CLI does not read that, into a file that the agent is told to read.
 */
export function placePrompt(prompt: string, type: string, { input, filesDir }: PromptPlaces): PlacedPrompt {
  const bytes = Buffer.byteLength(prompt);
  if (input === 'always' || (input === 'long' && bytes > LONGEST_PROMPT_BYTES)) {
    return { text: prompt, asInput: true };
  }
  if (bytes <= LONGEST_PROMPT_BYTES) return { text: prompt };
  if (filesDir === undefined) {
    throw new UsageError(
      `The prompt for ${type} is ${Math.ceil(bytes / 1024)} KiB long; a program takes arguments of at most 127 KiB.`,
      { next: 'Put the long part into a file of the project and name that file in the prompt.' },
    );
  }
  const digest = createHash('sha256').update(prompt).digest('hex').slice(0, 12);
  const path = join(filesDir, `prompt-${digest}.md`);
  return {
    text: `Read the file ${path} to its end, all of it: it holds your task. Then do that task.`,
    file: { path, content: `${prompt}\n` },
  };
}

/** The arguments that hand the prompt over; the end of the command line. */
export function promptArgs(mode: ModeDefinition, prompt: string): readonly string[] {
  const flag = mode.promptPosition === 'flag' ? mode.promptFlag : undefined;
  if (flag?.endsWith('=')) return [`${flag}${prompt}`];
  if (flag !== undefined) return [flag, prompt];
  return mode.endOfOptions ? ['--', prompt] : [prompt];
}
