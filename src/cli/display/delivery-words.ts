import { age } from '../../kernel/words.ts';
import type { SessionView } from '../../project/sessions/view.ts';

/** What a person did with the files of a session, as half a sentence: `delivered to main as 1a2b3c, 3m ago`. */
export function deliveryWords(delivery: SessionView['delivery'], now = Date.now()): string | undefined {
  if (!delivery) return undefined;
  const { kind, base = 'its base', branch = 'its branch', commit, url = '', at } = delivery;
  const as = commit === undefined ? '' : ` as ${commit.slice(0, 12)}`;
  const what = {
    delivered: `delivered to ${base}${as}`,
    proposed: `proposed for ${base}: ${url}`,
    kept: `kept on ${branch}${as}`,
    discarded: 'discarded',
    undone: `undone: taken out of ${base} again${as}`,
  }[kind];
  return `${what}, ${age(now - at)}`;
}
