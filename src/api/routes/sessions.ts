import * as z from 'zod';
import { count, entry, list, object, segment, text } from '../shapes.ts';
import {
  needsYou as needsYouShape,
  session as sessionShape,
  sessions as sessionsShape,
} from '../views/session.ts';
import { cursor, id, name, number, ofSession, table } from './route.ts';

const { trail: _trail, payload: _payload, history: _history, ...page } = sessionShape;

/** A session in a list: what can be told of it, or why nothing can. */
export const summary = sessionsShape.sessions.element;

/** Of a page of a session: everything but its steps, which come in pages of their own. */
const sessionPage = z.strictObject({
  ...page,
  /** What the block that comes next is, where one is known. */
  steps: count,
});

export const stepRow = entry.extend({
  row: count,
  attempt: count,
  files: z.boolean(),
  tokens: count,
  usd: count,
});

export const mark = z.strictObject({
  kind: z.enum(['owner', 'continued', 'rewound', 'manifest', 'delivery', 'status']),
  after: count,
  at: count,
  what: text,
  said: text.exactOptional(),
  epoch: count.exactOptional(),
});

const layer = z.looseObject({ value: z.json() });
const context = z.strictObject({
  session: text,
  step: count,
  block: text,
  worker: text,
  layers: z.strictObject({
    execution_payload: layer,
    contract: layer,
    inherited_context: layer,
    primary_artifact: layer,
    system_metadata: layer,
  }),
  prompts: z.array(z.strictObject({ task: text, text, at: count })),
});

const item = needsYouShape.items.element.extend({
  /** The same as long as it is the same thing. */
  id: text,
  snoozedUntil: count.exactOptional(),
});

const live = z.looseObject({ session: text.nullable(), status: text });

const ofStep = z.strictObject({ id, step: number });

export const sessionRoutes = table({
  needsYou: {
    method: 'GET',
    path: '/needs-you',
    summary: 'Everything that waits for a person, the longest first',
    reply: z.strictObject({ items: z.array(item) }),
  },
  snooze: {
    method: 'POST',
    path: '/needs-you/:item/snooze',
    summary: 'Puts one of these things off for an hour',
    params: z.strictObject({ item: name }),
    body: z.strictObject({}),
    reply: z.strictObject({ item: text, until: count }),
  },
  sessions: {
    method: 'GET',
    path: '/sessions',
    summary: 'The sessions of the project, newest first',
    query: z.strictObject({
      /** Only those older than this one. */
      before: id.optional(),
      limit: number.optional(),
      /** A word of `word`: running, died, halted and so on. */
      status: text.optional(),
      q: text.optional(),
      workflow: text.optional(),
    }),
    reply: z.strictObject({ sessions: z.array(summary), ...cursor }),
  },
  session: {
    method: 'GET',
    path: '/sessions/:id',
    summary: 'Where a session stands, and what can be done next',
    params: ofSession,
    reply: sessionPage,
    refused: ['not-found', 'storage'],
  },
  live: {
    method: 'GET',
    path: '/sessions/:id/live',
    summary:
      'What the process that runs a session told last, folded; null while nobody looks or nobody runs it',
    params: ofSession,
    reply: z.strictObject({ live: live.nullable() }),
    refused: ['not-found'],
  },
  manifest: {
    method: 'GET',
    path: '/sessions/:id/manifest',
    summary: 'The manifest that a session runs on',
    params: ofSession,
    reply: z.strictObject({ manifest: object }),
    refused: ['not-found', 'storage'],
  },
  graph: {
    method: 'GET',
    path: '/sessions/:id/graph',
    summary: 'The blocks of a session and the ways between them',
    params: ofSession,
    reply: z.strictObject({
      nodes: z.array(z.strictObject({ id: text, entry: text, blocks: list })),
      blocks: z.array(
        z.strictObject({
          id: text,
          node: text,
          worker: text,
          gate: z.boolean(),
          limits: object.exactOptional(),
        }),
      ),
      edges: z.array(
        z.strictObject({ from: text, signal: text, action: text, to: text.nullable(), call: z.boolean() }),
      ),
    }),
    refused: ['not-found', 'storage'],
  },
  steps: {
    method: 'GET',
    path: '/sessions/:id/steps',
    summary: 'A page of the steps of a session, the newest first page; oldest first within it',
    params: ofSession,
    query: z.strictObject({
      /** Only rows before this one. */
      before: number.optional(),
      limit: number.optional(),
      block: text.optional(),
      signal: text.optional(),
    }),
    reply: z.strictObject({
      steps: z.array(stepRow),
      rows: count,
      before: count.nullable(),
      marks: z.array(mark),
    }),
    refused: ['not-found', 'storage'],
  },
  step: {
    method: 'GET',
    path: '/sessions/:id/steps/:step',
    summary: 'One step: what it answered and where it led',
    params: ofStep,
    reply: stepRow.extend({
      added: z.array(segment),
      dropped: list,
      stack: z.strictObject({ keep: count, push: list }).exactOptional(),
      tree: text.exactOptional(),
      failure: text.exactOptional(),
      strayed: list.exactOptional(),
    }),
    refused: ['not-found', 'storage'],
  },
  stepContext: {
    method: 'GET',
    path: '/sessions/:id/steps/:step/context',
    summary: 'All five layers that a step was given, and the prompts that were sent in it',
    params: ofStep,
    reply: context,
    refused: ['not-found', 'conflict', 'storage'],
  },
  nextContext: {
    method: 'GET',
    path: '/sessions/:id/next/context',
    summary: 'What the block that comes next would be given',
    params: ofSession,
    reply: context,
    refused: ['not-found', 'conflict', 'storage'],
  },
});
