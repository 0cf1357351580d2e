import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import * as z from 'zod';
import type { Action } from '../../kernel/action.ts';
import type { JournalPosition } from '../state/store.ts';
import type { JsonEvent } from './json-event.ts';

/** Said in the first line, before anything is asked. Another number means that the two sides cannot talk. */
export const PROTOCOL = 2;

export interface Hello {
  readonly protocol: number;
  readonly session: string;
  /** The file that whoever calls holds open while they say who they are. */
  readonly proof: string;
}

/** One line of JSON each way, over the socket of a session's owner. */
export const requestShape = z.discriminatedUnion('do', [
  /** First of all: who calls. */
  z.object({ do: z.literal('enter'), key: z.string(), pid: z.int().positive() }),
  z.object({ do: z.literal('tasks') }),
  z.object({ do: z.literal('answer'), task: z.string().optional(), text: z.string() }),
  z.object({ do: z.literal('complete'), task: z.string().optional() }),
  z.object({ do: z.literal('stop'), task: z.string().optional() }),
  z.object({ do: z.literal('abort'), reason: z.string() }),
  z.object({ do: z.literal('interrupt'), reason: z.string() }),
  z.object({ do: z.literal('watch') }),
  z.object({ do: z.literal('attach'), task: z.string().optional() }),
  z.object({ do: z.literal('input'), text: z.string() }),
  z.object({
    do: z.literal('resize'),
    columns: z.int().positive().max(10_000),
    rows: z.int().positive().max(10_000),
  }),
]);

type AnyRequest = z.infer<typeof requestShape>;
export type ControlRequest = Exclude<AnyRequest, { do: 'enter' }>;

/** `ok` or the problem answers a request; the others come while attached or while watching. */
export type ControlReply =
  | {
      readonly ok: true;
      readonly task?: string;
      readonly tasks?: readonly TaskLine[];
      /** Where the journal ends: the events that follow are those of what is written after it. */
      readonly at?: JournalPosition;
    }
  | { readonly event: JsonEvent }
  /** So many events were not sent, because nobody read them; what they told and is kept lies before the position. */
  | { readonly skipped: number; readonly at: JournalPosition }
  | { readonly problem: string; readonly next?: Action }
  | { readonly raw: string }
  | { readonly ended: string };

export interface TaskLine {
  readonly id: string;
  readonly status: string;
  readonly interactive: boolean;
  readonly agent?: string;
  readonly mode?: string;
  /** When its agent was started. */
  readonly since?: number;
  readonly question?: string;
  readonly choices?: readonly string[];
}

/** A terminal is typed into, not sent files: a longer line is refused. */
export const LONGEST_LINE = 1024 * 1024;

/** Reads a socket line by line; a line that is longer than allowed closes it. */
export function readLines(socket: Socket, longest: number, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  socket.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    if (rest.length > longest) socket.destroy();
  });
}

export function writeLine(socket: Socket, value: object): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(value)}\n`);
}
