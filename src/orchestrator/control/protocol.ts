import * as z from 'zod';
import type { Action } from '../../kernel/action.ts';

/** One line of JSON each way, over the socket of a session's owner. */
export const requestShape = z.discriminatedUnion('do', [
  z.object({ do: z.literal('tasks') }),
  z.object({ do: z.literal('answer'), task: z.string().optional(), text: z.string() }),
  z.object({ do: z.literal('complete'), task: z.string().optional() }),
  z.object({ do: z.literal('stop'), task: z.string().optional() }),
  z.object({ do: z.literal('abort'), reason: z.string() }),
  z.object({ do: z.literal('attach'), task: z.string().optional() }),
  z.object({ do: z.literal('input'), text: z.string() }),
  z.object({
    do: z.literal('resize'),
    columns: z.int().positive().max(10_000),
    rows: z.int().positive().max(10_000),
  }),
]);

export type ControlRequest = z.infer<typeof requestShape>;

/** `ok` or the problem answers a request; the others come while attached. */
export type ControlReply =
  | { readonly ok: true; readonly task?: string; readonly tasks?: readonly TaskLine[] }
  | { readonly problem: string; readonly next?: Action }
  | { readonly raw: string }
  | { readonly ended: string };

export interface TaskLine {
  readonly id: string;
  readonly status: string;
  readonly interactive: boolean;
  readonly question?: string;
  readonly choices?: readonly string[];
}

/** A terminal is typed into, not sent files: a longer line is refused. */
export const LONGEST_LINE = 1024 * 1024;
