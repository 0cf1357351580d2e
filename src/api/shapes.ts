import * as z from 'zod';
import { ACTION_IDS, NEEDS } from '../kernel/action.ts';
import { PROBLEM_KINDS } from '../kernel/errors.ts';

/** The pieces that events and views have in common. */

export const text = z.string();
export const count = z.number();
export const list = z.array(text);
export const object = z.record(text, z.json());

export const action = z.strictObject({
  id: z.enum(ACTION_IDS),
  label: text,
  why: text.exactOptional(),
  danger: z.literal(true).exactOptional(),
  needs: z.array(z.enum(NEEDS)).exactOptional(),
  with: z.record(text, z.union([text, count, z.boolean(), list])).exactOptional(),
});

export const problem = z.strictObject({
  kind: z.enum(PROBLEM_KINDS),
  message: text,
  next: action.exactOptional(),
});

export const used = z.strictObject({ steps: count, tokens: count, usd: count, ms: count });
export const usage = z.strictObject({ tokens: count.exactOptional(), usd: count.exactOptional() });
export const segment = z.looseObject({ id: text, type: text, content: z.json() });
export const exit = z.strictObject({ code: count.exactOptional(), signal: text.exactOptional() });
export const identity = z.strictObject({ pid: count, startTime: text, host: text });
const question = z.strictObject({ question: text, choices: list.exactOptional() });

export const halt = z.strictObject({
  reason: z.enum([
    'flag',
    'step',
    'limit',
    'budget',
    'gate',
    'question',
    'interrupted',
    'rewound',
    'files',
    'tampered',
    'emptied',
    'suspicious',
    'unproven',
    'flaky',
    'no_change',
    'paths',
  ]),
  message: text,
  block: text.nullable(),
  resumeAt: text.nullable(),
  question: question.exactOptional(),
  paths: list.exactOptional(),
  unanswered: z.literal(true).exactOptional(),
  retry: z.strictObject({ at: text, stack: list.exactOptional() }).exactOptional(),
});

/** What a halt is about, in the words of whoever failed. */
export const why = z.strictObject({
  block: text,
  step: count,
  lines: list,
  in: z.literal('manifest').exactOptional(),
  agent: z.strictObject({ agent: text, kind: text, login: text.exactOptional() }).exactOptional(),
});

/** A change that makes a green check worth less; a `soft` one is only told. */
export const suspiciousChange = z.strictObject({
  rule: text,
  weight: z.enum(['hard', 'soft']),
  path: text,
  line: count.exactOptional(),
  what: text,
  test: text.exactOptional(),
});

/** What a person did with the files of a session. */
export const delivery = z.strictObject({
  kind: z.enum(['delivered', 'proposed', 'kept', 'discarded', 'undone']),
  at: count,
  base: text.exactOptional(),
  branch: text.exactOptional(),
  commit: text.exactOptional(),
  url: text.exactOptional(),
});

export const entry = z.strictObject({
  step: count,
  block: text,
  ran: z.boolean(),
  signal: text,
  matched: z.enum(['exact', 'default', 'none']),
  action: text.nullable(),
  next: text.nullable(),
  ms: count,
  at: count,
});
