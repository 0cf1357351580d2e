import { tokenize } from '../command-line.ts';
import { splitChain } from './split-chain.ts';

/** Always denied, whatever the configuration adds. */
const DEFAULT_DENIED: readonly string[] = [
  String.raw`\brm\s+-(?:rf|fr)\s+/`,
  String.raw`\bsudo\b`,
  String.raw`\bchmod\s+777\b`,
];

export interface DeniedCommand {
  readonly command: string;
  readonly pattern: string;
}

/** The pattern that forbids a command: in its text, or in the words that would be run. */
export function deniedBy(command: string, more: readonly string[] = []): string | undefined {
  const texts = [command, ...splitChain(command).map(asWords)];
  return [...DEFAULT_DENIED, ...more].find((pattern) => texts.some((text) => matches(pattern, text)));
}

export function findDenied(commands: readonly string[], more: readonly string[] = []): DeniedCommand[] {
  return commands.flatMap((command) => {
    const pattern = deniedBy(command, more);
    return pattern === undefined ? [] : [{ command, pattern }];
  });
}

/** Quotes and extra blanks do not make it another command. */
function asWords(part: string): string {
  const line = tokenize(part);
  return line.ok ? line.argv.join(' ') : part;
}

/** A regular expression; what is none is looked for as it is written. */
function matches(pattern: string, text: string): boolean {
  if (pattern.trim() === '') return false;
  try {
    return new RegExp(pattern, 'i').test(text);
  } catch {
    return text.toLowerCase().includes(pattern.toLowerCase());
  }
}
