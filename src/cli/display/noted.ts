import { oneLine } from '../../kernel/words.ts';
import type { SessionView } from '../../project/sessions/view.ts';
import type { Style } from './style.ts';

const MOST = 20;

/** What was found about the checks and stops nobody; what does stop is in the words of the halt. */
export function notedLines({ suspicious = [] }: Pick<SessionView, 'suspicious'>, { dim }: Style): string[] {
  const soft = suspicious.filter(({ weight }) => weight === 'soft');
  const more = soft.length - MOST;
  return [
    ...soft.slice(0, MOST).map(({ path, line, what, rule }) => {
      const place = line === undefined ? path : `${path}:${line}`;
      return dim(`  note: ${oneLine(`${place}: ${what} (${rule})`)}`);
    }),
    ...(more > 0 ? [dim(`  note: ${more} more about the checks`)] : []),
  ];
}
