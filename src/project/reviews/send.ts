import { ConflictError } from '../../kernel/errors.ts';
import type { OpenProject } from '../open.ts';
import { guidanceOf } from './guidance.ts';
import { markSent, readReview } from './review.ts';

export interface ReviewGuidance {
  readonly session: string;
  /** What would be sent, as the next worker reads it. */
  readonly text: string;
}

/** What a review says, for whoever carries it to the next worker. */
export async function reviewGuidance(opened: OpenProject, written: string): Promise<ReviewGuidance> {
  const review = await readReview(opened, written);
  const text = guidanceOf(review);
  if (text === '') throw new ConflictError('There is nothing to send.', { next: 'Write a comment first.' });
  return { session: review.session, text };
}

/** The review has reached its worker. */
export async function reviewSent(opened: OpenProject, session: string): Promise<void> {
  markSent(opened, session, opened.sessions.summary(session).step);
}
