import * as z from 'zod';
import { count, list, object, segment, text } from '../shapes.ts';
import { review } from '../views/review.ts';
import { id, name, ofSession, table } from './route.ts';
import { mark, stepRow } from './sessions.ts';

const refused = ['not-found', 'conflict', 'busy', 'denied', 'storage'] as const;

/** What was said, proven and planned about the work of a session. */
export const reviewRoutes = table({
  said: {
    method: 'GET',
    path: '/sessions/:id/said',
    summary: 'What people said to a session, oldest first',
    params: ofSession,
    reply: z.strictObject({
      said: z.array(
        z.strictObject({ at: count, kind: text, block: text.nullable(), task: text.exactOptional(), text }),
      ),
    }),
    refused: ['not-found', 'storage'],
  },
  epochs: {
    method: 'GET',
    path: '/sessions/:id/epochs',
    summary: 'Who has owned a session, oldest first',
    params: ofSession,
    reply: z.strictObject({ epochs: z.array(mark) }),
    refused: ['not-found', 'storage'],
  },
  segment: {
    method: 'GET',
    path: '/sessions/:id/segments/:segment',
    summary: 'One segment of the history',
    params: z.strictObject({ id, segment: name }),
    reply: z.strictObject({ segment }),
    refused: ['not-found', 'storage'],
  },
  evidence: {
    method: 'GET',
    path: '/sessions/:id/evidence',
    summary: 'What proves the work of a session, and what completing it still needs',
    params: ofSession,
    reply: z.strictObject({
      session: text,
      gates: z.array(
        z.strictObject({
          block: text,
          state: z.enum(['passed', 'failed', 'doubted', 'none']),
          signal: text.exactOptional(),
          tree: text.exactOptional(),
          doubt: object.exactOptional(),
        }),
      ),
      reports: z.array(segment),
    }),
    refused: ['not-found', 'storage'],
  },
  compare: {
    method: 'GET',
    path: '/compare',
    summary: 'The ways of two sessions beside each other, aligned by block and attempt',
    query: z.strictObject({ a: id, b: id }),
    reply: z.strictObject({
      a: text,
      b: text,
      rows: z.array(z.strictObject({ a: stepRow.nullable(), b: stepRow.nullable() })),
      /** The first row in which they differ; null when they do not. */
      differs: count.nullable(),
    }),
    refused: ['not-found', 'storage'],
  },
  review: {
    method: 'GET',
    path: '/sessions/:id/review',
    summary: 'The comments on what a session changed, each where its lines are now',
    params: ofSession,
    reply: z.strictObject({ session: text, ...review }),
    refused: ['not-found', 'storage'],
  },
  saveReview: {
    method: 'PUT',
    path: '/sessions/:id/review',
    summary: 'Keeps the comments of a person as drafts; what was sent stays as it was sent',
    params: ofSession,
    body: z.strictObject(review),
    reply: z.strictObject({ session: text, ...review }),
    refused: ['not-found', 'storage'],
  },
  sendReview: {
    method: 'POST',
    path: '/sessions/:id/review/send',
    summary: 'Sends the comments to the next worker; with `preview` only says what would be sent',
    params: ofSession,
    body: z.strictObject({
      as: z.enum(['retry', 'resume', 'fork', 'type', 'rework', 'requeue']),
      /** For `type`: which stage task. */
      task: name.optional(),
      preview: z.boolean().optional(),
    }),
    reply: z.strictObject({
      session: text,
      text,
      sent: z.boolean(),
      /** The session that goes on with it; another one after a fork. */
      goesOn: text.exactOptional(),
    }),
    refused,
  },
  plan: {
    method: 'GET',
    path: '/sessions/:id/plan',
    summary: 'What a session means to change',
    params: ofSession,
    reply: z.strictObject({ session: text, paths: list }),
    refused: ['not-found'],
  },
  extendPlan: {
    method: 'PATCH',
    path: '/sessions/:id/plan',
    summary: 'Adds paths to the plan of a session that is in line',
    params: ofSession,
    body: z.strictObject({ add: z.array(z.string().min(1).max(2000)).min(1) }),
    reply: z.strictObject({
      session: text,
      paths: list,
      clashes: z.array(z.looseObject({ id: text, path: text })),
    }),
    refused,
  },
  plans: {
    method: 'GET',
    path: '/plans',
    summary: 'Everybody in line with their plans',
    reply: z.strictObject({
      plans: z.array(
        z.strictObject({
          id: text,
          status: z.enum(['waiting', 'active', 'held']),
          priority: count,
          since: count,
          paths: list,
        }),
      ),
    }),
  },
  conflicts: {
    method: 'GET',
    path: '/plans/conflicts',
    summary: 'Who clashes with whom on which path',
    reply: z.looseObject({ conflicts: z.array(z.looseObject({ path: text })) }),
  },
  previewPlan: {
    method: 'POST',
    path: '/plans/preview',
    summary: 'Which clashes a plan would have now; nobody enters the line by asking',
    body: z.strictObject({ paths: z.array(z.string().min(1).max(2000)).max(200) }),
    reply: z.strictObject({
      paths: z.array(
        z.strictObject({
          path: text,
          clashes: z.array(z.strictObject({ kind: z.enum(['session', 'task']), id: text, path: text })),
        }),
      ),
    }),
  },
});
