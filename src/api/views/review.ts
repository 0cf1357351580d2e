import * as z from 'zod';

const words = z.string().max(20_000);

const comment = z.strictObject({
  id: z.string().min(1).max(64),
  /** Absent: about all of it. */
  path: z.string().max(4096).exactOptional(),
  side: z.enum(['before', 'after']).exactOptional(),
  /** Lines from 1, both included; absent: about the file. */
  from: z.int().positive().exactOptional(),
  to: z.int().positive().exactOptional(),
  /** The lines as they were. */
  quote: words.exactOptional(),
  /** The newest step when it was written. */
  step: z.int().nonnegative(),
  text: words,
  state: z.enum(['draft', 'sent', 'outdated']),
  /** The step that was the newest when it was sent. */
  sentAt: z.int().nonnegative().exactOptional(),
});

/** What a person says about the changes of a session: as it is kept, and as it is sent. */
export const review = {
  summary: words,
  comments: z.array(comment).max(1000),
  /** Files that were looked at, by what they were then. */
  viewed: z.record(z.string(), z.string()),
};

export const reviewShape = z.strictObject(review);
export type Review = z.infer<typeof reviewShape>;
export type ReviewComment = z.infer<typeof comment>;
