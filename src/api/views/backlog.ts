import * as z from 'zod';
import { FAILURE_CLASSES } from '../../backlog/retries.ts';
import {
  BLOCK_REASONS,
  KINDS,
  RUN_STATES,
  RUNTIME_STATES,
  STATES,
  type TaskState,
} from '../../backlog/words.ts';
import { REPOSITORY_MODES, ROLES, TASK_ORIGINS } from '../../kernel/runtime-words.ts';
import { WAIT_CAUSES } from '../../kernel/wait-cause.ts';
import { action, count, identity, list, object, text } from '../shapes.ts';
import { accept } from './files.ts';
import { budget, failed } from './session.ts';

/** Tasks, their runs, and who works on them. */

const taskFields = {
  id: text,
  title: text,
  goal: text,
  kind: z.enum(KINDS),
  role: z.enum(ROLES),
  mode: z.enum(REPOSITORY_MODES).exactOptional(),
  allowedPaths: list,
  deniedPaths: list,
  expectedFiles: list,
  commands: list,
  dependencies: list,
  priority: count,
  timeboxMinutes: count.exactOptional(),
  agents: list,
  budget: budget.exactOptional(),
  context: object.exactOptional(),
  source: text.exactOptional(),
  /** Whose words it is made of. */
  origin: z.enum(TASK_ORIGINS),
  state: z.enum(STATES),
  blockReason: z.enum(BLOCK_REASONS).exactOptional(),
  waitsFor: text.exactOptional(),
  waitsUntil: count.exactOptional(),
  waitCause: z.enum(WAIT_CAUSES).exactOptional(),
  failureCode: text.exactOptional(),
  failureClass: z.enum(FAILURE_CLASSES).exactOptional(),
  attempts: count,
  quotaHits: count,
  notes: text.exactOptional(),
  sessionId: text.exactOptional(),
  next: action.exactOptional(),
  createdAt: count,
  updatedAt: count,
  unverified: z.boolean().exactOptional(),
};
const oneTask = z.strictObject(taskFields);

export const task = taskFields;
export const tasks = { tasks: z.array(oneTask) };
export const board = Object.fromEntries(STATES.map((state) => [state, z.array(oneTask)])) as {
  readonly [state in TaskState]: z.ZodArray<typeof oneTask>;
};

const run = z.strictObject({
  id: text,
  attempt: count,
  sessionId: text,
  agentId: text,
  epoch: count,
  state: z.enum(RUN_STATES),
  startedAt: count,
  finishedAt: count.exactOptional(),
  outcome: object.exactOptional(),
  evidence: list,
});

export const story = {
  ...taskFields,
  runs: z.array(run),
  events: z.array(
    z.strictObject({
      at: count,
      state: text,
      blockReason: text.exactOptional(),
      reason: text,
      epoch: count,
    }),
  ),
  artifacts: z.array(
    z.strictObject({ runId: text, type: text, ref: text, data: object.exactOptional(), createdAt: count }),
  ),
};

export const added = { added: list, known: list };
export const removed = { id: text, removed: z.literal(true) };

const { session: _session, base: _base, ...delivered } = accept;
export const verdict = {
  task: text,
  verdict: z.enum(['approve', 'rework']),
  said: text,
  already: z.boolean().exactOptional(),
  base: text.exactOptional(),
  delivered: z.strictObject(delivered).exactOptional(),
  merged: text.exactOptional(),
  unchecked: list.exactOptional(),
};

export const restored = {
  task: text,
  restored: list,
  kept: list.exactOptional(),
  trash: text.exactOptional(),
  offered: z
    .array(
      z.strictObject({
        path: text,
        what: z.enum(['changed', 'removed']),
        copy: z.boolean(),
        since: z.boolean(),
        wanted: z.boolean(),
      }),
    )
    .exactOptional(),
};

export const runtimes = {
  runtimes: z.array(
    z.strictObject({
      id: text,
      name: text,
      role: z.enum(ROLES),
      beatMs: count,
      process: identity,
      state: z.enum(RUNTIME_STATES),
      tasks: list,
      since: count,
      seenAt: count,
      dead: z.boolean(),
    }),
  ),
};

/** The last line of `work`: how many runs ended in which state, or what a second signal killed. */
export const workResult = {
  type: z.literal('result'),
  ended: z.record(text, count).exactOptional(),
  /** How many tasks are in line, where none of them could be started. */
  waiting: count.exactOptional(),
  killed: list.exactOptional(),
  exitCode: count,
  error: failed.exactOptional(),
};

/** The last line of `research`. */
export const researchResult = {
  type: z.literal('result'),
  /** Null when there was nothing to begin with. */
  job: text.nullable(),
  exitCode: count,
  error: failed.exactOptional(),
  report: text.exactOptional(),
  claims: count.exactOptional(),
  sources: count.exactOptional(),
  unsourced: count.exactOptional(),
  notFetched: count.exactOptional(),
  /** Claims that have less than the profile asks for; empty: all of them hold. */
  unverified: z.array(z.strictObject({ claim: text, status: text, missing: z.array(text) })).exactOptional(),
  unfinished: text.exactOptional(),
  next: text.exactOptional(),
};
