import { type OpenQuestion, questionsIn } from '../../orchestrator/state/questions.ts';
import type { Snapshot } from '../../orchestrator/state/session-reader.ts';

export type { OpenQuestion };

/** A dead owner's questions can no longer be answered. */
export function openQuestions({
  state,
  ownerAlive,
}: Pick<Snapshot, 'state' | 'ownerAlive'>): readonly OpenQuestion[] {
  return ownerAlive ? questionsIn(state) : [];
}
