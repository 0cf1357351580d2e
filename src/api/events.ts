import * as z from 'zod';
import { WAIT_CAUSES } from '../kernel/wait-cause.ts';
import { TASK_STATUSES } from '../manifest/task.ts';
import type { JsonEvent } from '../orchestrator/control/json-event.ts';

export type { JsonEvent };

import {
  count,
  entry,
  exit,
  halt,
  identity,
  list,
  object,
  problem,
  segment,
  text,
  usage,
  used,
} from './shapes.ts';

/** The event stream of a session as JSON: what `--json` prints and what `watch` sends, one object a line. */

const result = z.strictObject({ ok: z.boolean(), output: text, files: list, problem: text.exactOptional() });
const ofTask = { type: z.literal('task'), task: text };

const note = z.union([
  z.strictObject({ ...ofTask, status: z.literal('PENDING') }),
  z.strictObject({
    ...ofTask,
    status: z.literal('RUNNING'),
    process: identity.exactOptional(),
    agent: text.exactOptional(),
    mode: text.exactOptional(),
  }),
  z.strictObject({ ...ofTask, status: z.literal('WAITING_FOR_USER'), question: text, choices: list }),
  z.strictObject({
    ...ofTask,
    status: z.literal('DONE'),
    exit,
    by: text.exactOptional(),
    result: result.exactOptional(),
    conversation: object.exactOptional(),
  }),
  z.strictObject({ ...ofTask, status: z.literal('ERROR'), problem: text }),
  z.strictObject({
    type: z.literal('said'),
    task: text,
    said: z.enum(['prompt', 'input']),
    text,
    at: count,
  }),
  z.strictObject({
    type: z.literal('blocked'),
    agent: text,
    until: count,
    at: count.exactOptional(),
    reason: text,
    cause: text,
    task: text.exactOptional(),
    conversation: object.exactOptional(),
  }),
  z.strictObject({
    type: z.literal('conversation'),
    task: text,
    agent: text.exactOptional(),
    conversation: object,
  }),
  z.strictObject({ type: z.literal('checkpoint'), files: text, task: text.exactOptional() }),
  z.strictObject({ type: z.literal('process'), process: identity }),
  z.strictObject({ type: z.literal('delivery.later'), reason: text }),
  z.strictObject({ type: z.literal('retried') }),
  z.strictObject({
    type: z.literal('context'),
    files: z.array(z.strictObject({ path: text, digest: text.exactOptional() })),
  }),
  z.strictObject({ type: z.literal('own'), data: object }),
]);

function of<T extends JsonEvent['type'], S extends z.core.$ZodShape>(type: T, shape: S) {
  return z.strictObject({ session: text, type: z.literal(type), ...shape });
}

const inStep = { step: count, block: text };
const inTask = { ...inStep, task: text };

/** One schema for every type of event, each no wider than the type it describes: the compiler compares them. */
export const eventShapes = {
  'session.started': of('session.started', { goal: text, at: text }),
  'session.continued': of('session.continued', { how: z.enum(['resume', 'retry']), at: text.nullable() }),
  'step.started': of('step.started', { ...inStep, worker: text }),
  'step.output': of('step.output', { ...inStep, text }),
  'step.progressed': of('step.progressed', { ...inStep, note }),
  'task.started': of('task.started', { ...inTask, name: text, agent: text, mode: text }),
  'task.output': of('task.output', { ...inTask, clean: text }),
  'task.interaction': of('task.interaction', { ...inTask, question: text, choices: list, payload: object }),
  'task.usage': of('task.usage', { ...inTask, usage, estimated: z.boolean() }),
  'task.activity': of('task.activity', { ...inTask, event: object }),
  'task.status': of('task.status', {
    ...inTask,
    status: z.enum(TASK_STATUSES),
    exit,
    problem: text.exactOptional(),
  }),
  'usage.added': of('usage.added', { ...inStep, usage, total: used }),
  'step.finished': of('step.finished', { entry, added: z.array(segment), dropped: list, used }),
  'session.reachable': of('session.reachable', {
    socket: text.exactOptional(),
    problem: text.exactOptional(),
  }),
  'session.waiting': of('session.waiting', {
    waiting: z.strictObject({ message: text, sessions: list }),
  }),
  'budget.near': of('budget.near', { message: text }),
  'limit.reached': of('limit.reached', { block: text, message: text }),
  'session.halted': of('session.halted', { halt }),
  'session.parked': of('session.parked', {
    until: count,
    reason: text,
    agent: text.exactOptional(),
    cause: z.enum(WAIT_CAUSES).exactOptional(),
  }),
  'session.completed': of('session.completed', { used, outcome: z.literal('no_change').exactOptional() }),
  'session.failed': of('session.failed', { error: problem }),
  'session.aborted': of('session.aborted', { reason: text }),
} satisfies {
  readonly [T in JsonEvent['type']]: z.ZodType<Extract<JsonEvent, { readonly type: T }>>;
};

/** Any event; an object that is none is refused with what is wrong about it. */
export const eventShape: z.ZodType<JsonEvent> = z.union(Object.values(eventShapes));
