import * as z from 'zod';
import { count, object, text } from '../shapes.ts';
import { table } from './route.ts';
import { summary } from './sessions.ts';

const me = z.strictObject({
  version: text,
  /** Of this start of the server; halves and event ids of another one mean nothing. */
  boot: text,
  project: z.strictObject({ dir: text, name: text }),
  readOnly: z.boolean(),
  /** Whether a person said that they trust the project as it is now. */
  trusted: z.boolean(),
  by: z.enum(['browser', 'bearer']),
});

export const serverRoutes = table({
  health: {
    method: 'GET',
    path: '/health',
    summary: 'Whether the server is there; nothing about the project',
    reply: z.strictObject({ ok: z.literal(true) }),
    open: true,
  },
  logIn: {
    method: 'POST',
    path: '/auth',
    summary: 'Turns a one-time token into a cookie and a proof; every other call needs both',
    body: z.strictObject({ token: z.string().min(1).max(200) }),
    reply: z.strictObject({ proof: text, boot: text }),
    open: true,
  },
  logOut: {
    method: 'DELETE',
    path: '/auth',
    summary: 'Makes both halves of this caller worthless',
    reply: z.strictObject({ ok: z.literal(true) }),
  },
  me: { method: 'GET', path: '/me', summary: 'Who calls, and what is served', reply: me },
  overview: {
    method: 'GET',
    path: '/overview',
    summary: 'What runs, what waits, and what came of the last day',
    reply: z.strictObject({
      sessions: z.strictObject({ total: count, byWord: z.record(text, count) }),
      running: z.array(summary),
      waiting: z.array(summary),
      tasks: z.record(text, count),
      lastDay: z.strictObject({ done: count, unverified: count, failed: count, usd: count }),
    }),
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This contract as OpenAPI 3.1',
    reply: object,
  },
});
