import { broken, size } from '../../kernel/text-width.ts';
import { clip } from '../../kernel/words.ts';
import type { Paint } from './style.ts';

interface Parts {
  /** What stands before both, without colour. */
  readonly lead: string;
  readonly name: string;
  readonly facts: string;
}

interface Looks {
  readonly columns: number;
  /** How the lead is drawn; it stays as wide as it is. */
  readonly lead: Paint;
  readonly facts: Paint;
}

/**
 * A name and what is known about it on one line; where the window is narrow, the facts stand below, broken between
 * words. Nothing is left for the terminal to break, which would cut through a word.
 */
export function nameAndFacts({ lead, name, facts }: Parts, looks: Looks): string[] {
  const indent = size(lead);
  const one = indent + size(name) + 2 + size(facts);
  const begin = looks.lead(lead);
  if (one <= looks.columns || facts === '') return [`${begin}${name}  ${looks.facts(facts)}`.trimEnd()];
  const room = Math.max(1, looks.columns - indent);
  const below = broken(facts, room).map((line) => ' '.repeat(indent) + looks.facts(line));
  return [`${begin}${clip(name.trimEnd(), room)}`, ...below];
}

/** A command line that stays one when it is copied: what does not fit goes on behind a backslash. */
export function commandLines(command: string, columns: number, indent: string): string[] {
  const lines = broken(command, Math.max(1, columns - indent.length - 2));
  return lines.map((line, at) => `${indent}${line}${at < lines.length - 1 ? ' \\' : ''}`);
}
