import type { Action } from '../../kernel/action.ts';
import { ConflictError } from '../../kernel/errors.ts';
import { count, oneLine } from '../../kernel/words.ts';
import {
  hardChanges,
  type SuspiciousChange,
  type SuspiciousChanges,
  suspiciousLine,
} from '../../verification/suspicious/segment.ts';

const MOST_NAMED = 50;

/** Changes that make a green check worth less are delivered only with a person's reason. */
export function refuseSuspicious(
  changes: SuspiciousChanges,
  reason: string | undefined,
  work: {
    readonly who: string;
    readonly acceptIt: (input: { readonly suspicious: string }, label: string) => Action;
  },
): void {
  const hard = hardChanges(changes);
  if (hard.length === 0 || isReason(reason)) return;
  throw new ConflictError(
    `${count(hard.length, 'change')} of ${work.who} ${hard.length === 1 ? 'makes' : 'make'} its checks worth less, so nothing was delivered:\n${listed(changes).join('\n')}`,
    {
      next: work.acceptIt(
        { suspicious: '<reason>' },
        'Look at them; accept them with a reason, which is recorded',
      ),
    },
  );
}

/** The words for the commit where a person has accepted such changes. */
export function acceptedSuspicious(
  changes: SuspiciousChanges | undefined,
  reason: string | undefined,
): string[] {
  if (changes === undefined || hardChanges(changes).length === 0 || !isReason(reason)) return [];
  return [`Suspicious changes were accepted by a person: ${oneLine(reason)}\n${listed(changes).join('\n')}`];
}

/** The words for the commit about what was found and stops nobody. */
export function notedChanges(changes: SuspiciousChanges | undefined): string[] {
  const soft = (changes?.found ?? []).filter(({ weight }) => weight === 'soft');
  return soft.length === 0 ? [] : [`Noted about its checks:\n${lines(soft).join('\n')}`];
}

function isReason(reason: string | undefined): reason is string {
  // The advice as it is printed is no reason.
  return reason !== undefined && reason.trim() !== '' && !/^<.*>$/.test(reason.trim());
}

function listed(changes: SuspiciousChanges): string[] {
  return lines(hardChanges(changes));
}

function lines(changes: readonly SuspiciousChange[]): string[] {
  const more = changes.length - MOST_NAMED;
  return [
    ...changes.slice(0, MOST_NAMED).map((change) => `- ${oneLine(suspiciousLine(change))}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
}
