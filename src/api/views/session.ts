import * as z from 'zod';
import { WAIT_CAUSES } from '../../kernel/wait-cause.ts';
import { TASK_STATUSES } from '../../manifest/task.ts';
import {
  action,
  count,
  delivery,
  entry,
  exit,
  halt,
  identity,
  list,
  object,
  problem,
  segment,
  suspiciousChange,
  text,
  used,
  why,
} from '../shapes.ts';

/** Sessions: in a list, on a page of their own, and at the end of a run. */

export const nextAction = action.extend({
  /** What a person would type. */
  command: text.exactOptional(),
});

export const budget = z.strictObject({
  steps: count.exactOptional(),
  tokens: count.exactOptional(),
  usd: count.exactOptional(),
  minutes: count.exactOptional(),
});

const status = z.enum(['waiting', 'running', 'parked', 'halted', 'held', 'completed', 'failed', 'aborted']);
const failure = z.strictObject({ message: text, block: text.nullable().exactOptional() }).loose();
const openQuestion = z.strictObject({ task: text, question: text, choices: list });
const taskLink = z.strictObject({ id: text, run: text.exactOptional() });

const base = {
  format: z.literal(1),
  id: text,
  goal: text,
  workflow: text.exactOptional(),
  sandbox: text.exactOptional(),
  worktree: text.exactOptional(),
  task: taskLink.nullable(),
  status,
  since: count,
  currentBlock: text.nullable(),
  currentStageIndex: count.nullable(),
  tasks: z.record(text, z.enum(TASK_STATUSES)),
  exits: z.record(text, exit),
  lastBlock: text.nullable(),
  questions: z.array(openQuestion),
  stepping: z.boolean(),
  files: text.nullable(),
  delivery: delivery.nullable().exactOptional(),
  notStarted: z.literal(true).exactOptional(),
  step: count,
  used,
  halt: halt.nullable(),
  parkedUntil: count.nullable(),
  parkedFor: text.nullable(),
  parkedCause: z.enum(WAIT_CAUSES).nullable().exactOptional(),
  waitsFor: list,
  outcome: z.literal('no_change').nullable().exactOptional(),
  reason: text.nullable(),
  error: failure.nullable(),
  owner: identity,
  epoch: count,
  socket: text.exactOptional(),
  createdAt: count,
  updatedAt: count,
  ownerAlive: z.boolean(),
  word: text,
};

const summary = z.strictObject(base);
const unreadable = z.strictObject({
  id: text,
  status: z.enum(['never started', 'unreadable']),
  problem: text,
});

export const sessions = { sessions: z.array(z.union([summary, unreadable])) };
export const running = {
  sessions: z.array(
    z.strictObject({
      ...base,
      state: z.enum(['running', 'dead']),
      left: z.strictObject({ ended: count, agents: list }).exactOptional(),
    }),
  ),
};

export const needsYou = {
  items: z.array(
    z.strictObject({
      kind: z.enum(['question', 'halted', 'died', 'verdict', 'rework']),
      since: count,
      title: text,
      what: text,
      session: text.exactOptional(),
      task: text.exactOptional(),
      actions: z.array(nextAction),
    }),
  ),
};

const said = z.strictObject({
  at: count,
  kind: z.enum(['goal', 'guidance', 'answer', 'prompt', 'input']),
  block: text.nullable(),
  task: text.exactOptional(),
  text,
});

export const session = {
  ...base,
  history: z.array(said),
  inputs: object,
  budget,
  returnStack: z.array(z.json()),
  trail: z.array(entry),
  kept: z.boolean(),
  why: why.exactOptional(),
  suspicious: z.array(suspiciousChange).exactOptional(),
  manifests: z.array(z.strictObject({ digest: text, before: text, step: count, at: count })).exactOptional(),
  payload: z.array(segment).exactOptional(),
  next: z.array(nextAction),
};

export const failed = problem.extend({ next: nextAction.exactOptional() });

/** In place of any document, when the command failed. */
export const commandFailed = { error: failed };

/** The last line of a stream of events: how the run ended. */
export const runResult = {
  type: z.literal('result'),
  session: text.nullable(),
  status: status.nullable(),
  exitCode: count,
  error: failed.exactOptional(),
  block: text.nullable().exactOptional(),
  outcome: z.literal('no_change').nullable().exactOptional(),
  halt: halt.nullable().exactOptional(),
  why: why.exactOptional(),
  suspicious: z.array(suspiciousChange).exactOptional(),
  parkedUntil: count.nullable().exactOptional(),
  worktree: text.nullable().exactOptional(),
  trail: z.array(entry).exactOptional(),
  used: used.exactOptional(),
  next: z.array(nextAction).exactOptional(),
};

/** The whole output of the processes of a session, file by file. */
export const fullLogs = { logs: z.array(z.strictObject({ file: text, text })) };

export const interrupted = { session: text };
export const aborted = { session: text, status };
export const stageTask = { session: text, task: text, status: z.enum(['RUNNING', 'DONE']) };
