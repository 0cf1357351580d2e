import type { InspectInput, TestEvidence } from './evidence.ts';
import type { TestRun } from './run-tests.ts';

/**
 * Green where the work was done, red in a fresh checkout of what would be delivered: the checks passed with something
 * that is not part of the work. Where the base says the very same, it cannot be tried there at all; but for a base that
 * was red in the folder of the work too, before anybody came.
 */
export function notReproduced(
  now: TestRun,
  base: TestRun,
  { undelivered = [], redBefore = [] }: Pick<InspectInput, 'undelivered' | 'redBefore'>,
): Pick<TestEvidence, 'found' | 'notes' | 'log'> {
  const told = `\`${now.command}\` ${now.end} in a fresh checkout of the delivered files`;
  const isSame = !base.green && base.end === now.end && plainWords(base.said) === plainWords(now.said);
  if (isSame && !redBefore.includes(now.command))
    return { found: [], notes: [`${told}, as on the base, so old and new tests could not be compared`] };
  const what =
    undelivered.length === 0
      ? `${told}, though it passed where the work was done`
      : `${told}; it passed beside what is not delivered: ${named(undelivered)}`;
  return {
    found: [{ rule: 'not_reproduced', weight: 'hard', path: '(tests)', what }],
    notes: [],
    log: now.said,
  };
}

const MOST_NAMED = 5;

/** The first few of them. */
export function named(paths: readonly string[]): string {
  const more = paths.length - MOST_NAMED;
  return `${paths.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Without what differs from run to run. */
function plainWords(text: string): string {
  return text.replaceAll(/[\d.]+/g, '0').trim();
}
