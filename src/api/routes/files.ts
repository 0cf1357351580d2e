import * as z from 'zod';
import { count, list, text } from '../shapes.ts';
import * as files from '../views/files.ts';
import { flag, id, name, number, ofSession, table } from './route.ts';

const range = { step: number.optional(), from: number.optional(), to: number.optional() };
const ofLog = z.strictObject({ id, name });
const refused = ['not-found', 'conflict', 'storage'] as const;
const { text: _text, ...summary } = files.diff;

export const fileRoutes = table({
  timeline: {
    method: 'GET',
    path: '/sessions/:id/timeline',
    summary: 'Which steps of a session changed files',
    params: ofSession,
    reply: z.strictObject({ session: text, checkpoints: files.timeline.checkpoints }),
    refused,
  },
  diff: {
    method: 'GET',
    path: '/sessions/:id/diff',
    summary: 'What a session, or a task, changed: all of it, in one step, or between two',
    params: ofSession,
    query: z.strictObject({ ...range, patch: flag.optional() }),
    /** The patch only where it is asked for. */
    reply: z.strictObject({ ...summary, status: text, patch: text.exactOptional() }),
    refused,
  },
  diffFile: {
    method: 'GET',
    path: '/sessions/:id/diff/file',
    summary: 'One file of a diff, whole on both sides',
    params: ofSession,
    query: z.strictObject({ ...range, path: z.string().min(1).max(4096) }),
    reply: z.strictObject({
      session: text,
      path: text,
      before: text.nullable(),
      after: text.nullable(),
      unshown: z.enum(['binary', 'large']).exactOptional(),
    }),
    refused,
  },
  logs: {
    method: 'GET',
    path: '/sessions/:id/logs',
    summary: 'The logs of the processes of a session',
    params: ofSession,
    reply: z.strictObject({
      session: text,
      logs: z.array(
        z.strictObject({ name: text, task: text, step: count, bytes: count, agent: text.exactOptional() }),
      ),
    }),
    refused: ['not-found'],
  },
  log: {
    method: 'GET',
    path: '/sessions/:id/logs/:name',
    summary: 'A window over one log; its end where no line is named',
    params: ofLog,
    query: z.strictObject({
      /** From 0. */
      line: number.optional(),
      limit: number.optional(),
      as: z.enum(['words', 'plain', 'raw']).optional(),
    }),
    reply: z.strictObject({ name: text, lines: count, bytes: count, from: count, text: list }),
    refused: ['not-found'],
  },
  searchLog: {
    method: 'GET',
    path: '/sessions/:id/logs/:name/search',
    summary: 'The lines of a log that have a text, whatever its case',
    params: ofLog,
    query: z.strictObject({ q: z.string().min(1).max(1000) }),
    reply: z.strictObject({
      hits: z.array(z.strictObject({ line: count, text })),
      more: z.boolean(),
    }),
    refused: ['not-found'],
  },
});
