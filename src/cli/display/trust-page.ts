import { oneLine } from '../../kernel/words.ts';
import type { Trust } from '../../project/trust/trust.ts';
import type { Style } from './style.ts';

/** What trusting a project means: what it would run, what would be obeyed, and what is new. */
export function trustPage(trust: Trust, { bold, dim, yellow }: Style): string[] {
  const { path, since, obeys, changes, state } = trust;
  const list = (kind: 'runs' | 'obeys') =>
    obeys
      .filter((row) => row.kind === kind)
      .map(({ what, from }) => `  ${oneLine(what)}  ${dim(oneLine(from))}`);
  const obeyed = list('obeys');
  return [
    bold(headline(trust)),
    ...(since === undefined ? [] : [dim(`trusted on ${since.slice(0, 16).replace('T', ' ')}`)]),
    ...changes.map((each) => yellow(`  ${each.change}: ${oneLine(each.path)}`)),
    `It would run, with what your user may do on this machine:`,
    ...list('runs'),
    ...(obeyed.length === 0 ? [] : ['It would decide:', ...obeyed]),
    ...(state.length === 0
      ? []
      : [
          yellow(
            `It has state from before you trusted it, which may have come with its files: ${state.map(oneLine).join(', ')}`,
          ),
        ]),
    dim(`for ${oneLine(path)}, as long as these files stay as they are`),
  ];
}

function headline({ path, trusted, changes }: Trust): string {
  if (trusted) return `${oneLine(path)} is trusted.`;
  if (changes.length > 0) return `What steers ${oneLine(path)} is not as you trusted it.`;
  return `You have not said yet that you trust ${oneLine(path)}.`;
}
