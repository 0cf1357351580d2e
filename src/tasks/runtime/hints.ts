import type { PastFailure } from '../../backlog/history.ts';
import { clip, oneLine } from '../../kernel/words.ts';
import { BY_ENGINE } from '../../manifest/origin.ts';
import type { ContextSegment } from '../../manifest/segment.ts';

const EARLIER_FAILURES = 'EARLIER_FAILURES';

/** All hints together: they point, they do not retell. */
const MOST = 350;
const BEGINNING = 90;

/** What went wrong before, for the agent that tries next; nothing when nothing did. */
export function hintSegments(failures: readonly PastFailure[], task: string): ContextSegment[] {
  if (failures.length === 0) return [];
  const each = Math.floor(MOST / failures.length);
  const content = failures.map((failure) => hint(failure, task, each)).join('\n');
  return [{ id: 'earlier-failures', type: EARLIER_FAILURES, content, origin: BY_ENGINE }];
}

function hint({ task: of, attempt, failureClass, why }: PastFailure, task: string, room: number): string {
  const whose = of === task ? `attempt ${attempt} of this task` : 'another task of this kind';
  const start = `- ${whose} (${failureClass}): `;
  return `${start}${ends(oneLine(why), Math.max(0, room - start.length - 1))}`;
}

/** What failed stands at the beginning of a reason, what it said last at its end. */
function ends(text: string, room: number): string {
  if (text.length <= room) return text;
  if (room <= BEGINNING) return clip(text, room);
  return `${text.slice(0, BEGINNING)} … ${text.slice(text.length - (room - BEGINNING - 3))}`;
}
