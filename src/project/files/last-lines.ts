import { plain } from '../../kernel/words.ts';

const LINES = 30;

/** The end of a log, where most tools say what is wrong. */
export function lastLines(text: string): string {
  return plain(text).trimEnd().split('\n').slice(-LINES).join('\n');
}
