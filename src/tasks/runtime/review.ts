import type { Task } from '../../backlog/task.ts';
import type { RuntimeSettings } from '../../config/runtime/settings.ts';
import { REVIEWS, type Review } from '../../kernel/runtime-words.ts';
import type { VerificationReport } from '../../verification/report.ts';

/** Who reviews a task: what it says itself, unless it came from elsewhere, then its role, then the project. */
export function reviewOf(
  { context, origin, role }: Pick<Task, 'context' | 'origin' | 'role'>,
  { review }: Pick<RuntimeSettings, 'review'>,
): Review {
  const said = REVIEWS.find((who) => who === context?.['review']);
  return (origin === 'person' ? said : undefined) ?? review[role];
}

/** Work that nothing has proven is looked at by a person, whoever said otherwise. */
export function needsReview(review: Review, { result }: Pick<VerificationReport, 'result'>): boolean {
  return review === 'person' || result !== 'verified';
}
