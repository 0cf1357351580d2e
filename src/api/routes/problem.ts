import * as z from 'zod';
import { PROBLEM_KINDS } from '../../kernel/errors.ts';
import { text } from '../shapes.ts';
import { nextAction } from '../views/session.ts';

/** Why a call was refused, so that a face can say and do something about it without reading the words. */
export const PROBLEM_CODES = [
  ...PROBLEM_KINDS,
  'unauthorised',
  'forbidden',
  'read-only',
  'gone',
  'too-large',
  'too-many',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** In place of any reply. */
export const httpProblem = z.strictObject({
  problem: text,
  code: z.enum(PROBLEM_CODES),
  next: nextAction.exactOptional(),
});
export type HttpProblem = z.infer<typeof httpProblem>;

/** The status that goes with each. */
export const STATUS_OF: { readonly [code in ProblemCode]: number } = {
  invalid: 400,
  unauthorised: 401,
  forbidden: 403,
  denied: 403,
  'read-only': 403,
  'not-found': 404,
  conflict: 409,
  gone: 410,
  'too-large': 413,
  busy: 423,
  'too-many': 429,
  internal: 500,
  storage: 503,
};
