import type * as z from 'zod';
import * as zod from 'zod';
import { count, text } from '../shapes.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What each route may be refused with besides what every route may be. */
export type Refusal = 'not-found' | 'conflict' | 'busy' | 'denied' | 'gone' | 'storage';

/** One route of the server: all that a caller and a handler have to agree on. */
export interface Route {
  readonly method: Method;
  /** Below `/api/v1`, with `:name` for parameters. */
  readonly path: string;
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly reply: z.ZodType;
  /** 200 when absent; 202 when something was set going that tells its end elsewhere. */
  readonly status?: 202;
  readonly refused?: readonly Refusal[];
  /** Whoever calls need not have shown who they are. */
  readonly open?: true;
}

/** Keeps the exact types of a table of routes. */
export function table<const Table extends { readonly [name: string]: Route }>(routes: Table): Table {
  return routes;
}

/** What the library's ids look like: no route takes the name of a file. */
export const id = zod.string().regex(/^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$/);
/** The name of a thing inside a manifest, a stage task or a log: looked up, never opened as it is. */
export const name = zod.string().min(1).max(200);
/** A number in an address. */
export const number = zod.coerce.number().int().nonnegative();
export const flag = zod.enum(['true', 'false']).transform((said) => said === 'true');
export const ofSession = zod.strictObject({ id });
export const ofTask = zod.strictObject({ id });

/** Part of a page: where the next one begins. */
export const cursor = { next: text.nullable(), total: count };
