import * as z from 'zod';
import type { JsonEvent } from '../../orchestrator/control/json-event.ts';
import { text } from '../shapes.ts';
import type { task } from './backlog.ts';
import { id } from './route.ts';
import type { stepRow, summary } from './sessions.ts';

/** What one can ask to be told of. */
export const topic = z.union([
  z.enum(['overview', 'backlog', 'plans', 'agents']),
  z.templateLiteral(['session:', id]),
  z.string().regex(/^(?:log|terminal):[0-9A-Za-z][0-9A-Za-z_-]{0,63}\/[^/\0]{1,200}$/),
  z.templateLiteral(['research:', id]),
]);
export type Topic = z.infer<typeof topic>;

/** Of this start of the server, and the how manieth: `<boot>-<n>`. */
export type EventId = `${string}-${number}`;

/** What a socket says: first who it is, and at any time what it wants to be told from then on. */
export const clientMessage = z.union([
  z.strictObject({
    /** Left out where a bearer came with the request. */
    proof: text.optional(),
    /** The last event that was seen: those behind it follow, or a `reset`. */
    after: text.optional(),
    watch: z.array(topic).max(64),
  }),
  /** Keys for a terminal that is watched. */
  z.strictObject({ input: z.templateLiteral(['terminal:', text]), text }),
  z.strictObject({
    resize: z.templateLiteral(['terminal:', text]),
    columns: z.int().positive().max(10_000),
    rows: z.int().positive().max(10_000),
  }),
]);
export type ClientMessage = z.infer<typeof clientMessage>;

/** Everything that is told, by what it is about. */
export type LiveChange =
  | { readonly type: 'session.changed'; readonly session: z.infer<typeof summary> }
  | { readonly type: 'session.removed'; readonly id: string }
  /** Of the steps that were told, only so many rows still count. */
  | { readonly type: 'session.rebased'; readonly id: string; readonly rows: number }
  | { readonly type: 'session.unreadable'; readonly id: string; readonly problem: string }
  | { readonly type: 'step.finished'; readonly id: string; readonly row: z.infer<typeof stepRow> }
  /** What the process that runs a session tells; `foldEvent` makes a `LiveSession` of it. */
  | { readonly type: 'engine'; readonly id: string; readonly at: number; readonly event: JsonEvent }
  /** The owner of a session is watched from here on, or no more: ask for its live state. */
  | { readonly type: 'live.began' | 'live.ended'; readonly id: string }
  | { readonly type: 'task.changed'; readonly task: z.infer<typeof task> }
  | { readonly type: 'task.removed'; readonly id: string }
  /** Something behind these has changed: ask for what is shown of it. A lease is also a runtime that came or went. */
  | { readonly type: 'run.changed' | 'lease.changed' | 'plan.changed' | 'agent.changed' | 'spend.changed' }
  | { readonly type: 'finding.changed'; readonly job: string }
  /** Ask for the page that is shown. */
  | {
      readonly type: 'log.grew';
      readonly id: string;
      readonly name: string;
      readonly lines: number;
      readonly bytes: number;
    }
  | { readonly type: 'server.warning'; readonly what: string };

/** A change with its place in the order of all of them. */
export interface LiveEvent {
  readonly id: EventId;
  readonly topics: readonly Topic[];
  readonly change: LiveChange;
}

/** What the server says in a text frame; a binary frame is output of a terminal. */
export type ServerMessage =
  /** The first: all events up to `at` are in whatever is asked for from now on. */
  | { readonly hello: { readonly boot: string; readonly at: EventId } }
  | { readonly events: readonly LiveEvent[] }
  /** What was missed is no longer kept: ask for everything again. */
  | { readonly reset: { readonly at: EventId } }
  /** So many bytes of output were left out; the file has them. */
  | { readonly skipped: { readonly topic: string; readonly bytes: number } }
  /** `channel` is the first byte of every binary frame of this terminal. */
  | {
      readonly terminal: {
        readonly topic: string;
        readonly channel?: number;
        readonly ended?: string;
        readonly problem?: string;
      };
    }
  | { readonly problem: string; readonly code: string };
