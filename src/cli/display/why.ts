import { oneLine, plain } from '../../kernel/words.ts';
import type { SessionView } from '../../project/sessions/view.ts';
import type { Style } from './style.ts';

/** The words of whoever failed, below the reason of a halt. */
export function whyLines({ why }: Pick<SessionView, 'why'>, { dim }: Style): string[] {
  if (!why || why.lines.length === 0) return [];
  const title = dim(`from ${oneLine(why.block)}, step ${why.step}:`);
  return [`  ${title}`, ...why.lines.map((line) => `  ${dim('│')} ${plain(line)}`)];
}
