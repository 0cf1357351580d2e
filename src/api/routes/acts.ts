import * as z from 'zod';
import { ROLES, TESTS_MAY_CHANGE } from '../../kernel/runtime-words.ts';
import { count, list, text } from '../shapes.ts';
import * as files from '../views/files.ts';
import { aborted, budget, interrupted, stageTask } from '../views/session.ts';
import { id, name, ofSession, table } from './route.ts';

/** What a person says; a whole review fits. */
const words = z.string().max(100_000);
const line = z.string().max(2000);
/** The id of what is acted on, once more: it loses work or takes it from somebody. */
const confirm = id.optional().describe('The id of the session, where the act asks for it.');

/** Something was set going; it tells its end in its journal. */
const going = z.strictObject({ session: text, pid: count });

const newRun = z.strictObject({
  goal: words.min(1),
  /** A shipped workflow, or a file of the project; the configured one when absent. */
  workflow: line.optional(),
  /** A file with stages, in place of a workflow. */
  pipeline: line.optional(),
  start: name.optional(),
  agent: name.optional(),
  /** Halt before every block. */
  stepping: z.boolean().optional(),
  inputs: z.record(z.string().regex(/^[\w.-]+$/), words).optional(),
  budget: budget.optional(),
  inPlace: z.boolean().optional(),
  includeDirty: z.boolean().optional(),
  base: line.optional(),
  plan: z.array(line).optional(),
  priority: z.int().optional(),
  allow: z.array(line).optional(),
  deny: z.array(line).optional(),
  tests: z.literal(TESTS_MAY_CHANGE).optional(),
  noBaseline: z.boolean().optional(),
});
export type NewRun = z.infer<typeof newRun>;

const continuing = z.strictObject({
  /** What the next worker should know; an empty one is passed as it is. */
  guidance: words.optional(),
  answer: words.optional(),
  budget: budget.optional(),
  takeOver: z.boolean().optional(),
  allow: z.array(line).optional(),
  manifest: z.literal('current').optional(),
  confirm,
});
export type Continuing = z.infer<typeof continuing>;

const ofStageTask = z.strictObject({ id, task: name });
const refused = ['not-found', 'conflict', 'busy', 'denied', 'storage'] as const;

export const actRoutes = table({
  startSession: {
    method: 'POST',
    path: '/sessions',
    summary: 'Starts a workflow or a pipeline in a process of its own',
    body: newRun,
    reply: going,
    status: 202,
    refused,
  },
  resume: {
    method: 'POST',
    path: '/sessions/:id/resume',
    summary: 'Goes on after a halt, a park or the death of the process',
    params: ofSession,
    body: continuing,
    reply: going,
    status: 202,
    refused,
  },
  retry: {
    method: 'POST',
    path: '/sessions/:id/retry',
    summary: 'Runs the block that halted or failed once more',
    params: ofSession,
    body: continuing,
    reply: going,
    status: 202,
    refused,
  },
  runStep: {
    method: 'POST',
    path: '/sessions/:id/step',
    summary: 'Runs exactly one block, then halts again',
    params: ofSession,
    body: continuing,
    reply: going,
    status: 202,
    refused,
  },
  interrupt: {
    method: 'POST',
    path: '/sessions/:id/interrupt',
    summary: 'Ends the running block; the session halts and can be resumed',
    params: ofSession,
    body: z.strictObject({ reason: line.optional() }),
    reply: z.strictObject(interrupted),
    refused,
  },
  abort: {
    method: 'POST',
    path: '/sessions/:id/abort',
    summary: 'Ends a session for good; asks for its id',
    params: ofSession,
    body: z.strictObject({ reason: line.optional(), guidance: words.optional(), confirm }),
    reply: z.strictObject({ ...aborted, steps: count }),
    refused,
  },
  fork: {
    method: 'POST',
    path: '/sessions/:id/fork',
    summary: 'A new session that begins where this one was after a step',
    params: ofSession,
    body: z.strictObject({
      at: z.int().nonnegative(),
      /** Set it going at once, with this. */
      guidance: words.optional(),
      run: z.boolean().optional(),
    }),
    reply: z.strictObject({ ...files.fork, goal: text, pid: count.exactOptional() }),
    refused,
  },
  rewind: {
    method: 'POST',
    path: '/sessions/:id/rewind',
    summary: 'Takes a session and its files back to the end of a step',
    params: ofSession,
    body: z.strictObject({ to: z.int().nonnegative() }),
    reply: z.strictObject(files.rewind),
    refused,
  },
  delivery: {
    method: 'GET',
    path: '/sessions/:id/delivery',
    summary: 'What became of the files of a session, and what stands against accepting them',
    params: ofSession,
    reply: z.strictObject({
      session: text,
      kept: z.boolean(),
      delivery: z.json().nullable(),
      base: text.nullable(),
      branch: text.nullable(),
      worktree: text.nullable(),
      changedFiles: count.nullable(),
      against: list,
    }),
    refused: ['not-found', 'storage'],
  },
  accept: {
    method: 'POST',
    path: '/sessions/:id/accept',
    summary: 'Brings the work of a session into its base branch; without proof it asks for its id',
    params: ofSession,
    body: z.strictObject({
      message: words.optional(),
      into: line.optional(),
      merge: z.boolean().optional(),
      pr: z.boolean().optional(),
      unproven: z.boolean().optional(),
      suspicious: words.optional(),
      acceptSecrets: words.optional(),
      confirm,
    }),
    reply: z.looseObject({ ...files.accept }),
    refused,
  },
  keep: {
    method: 'POST',
    path: '/sessions/:id/keep',
    summary: 'Leaves the work of a session on its own branch, committed',
    params: ofSession,
    body: z.strictObject({ message: words.optional(), acceptSecrets: words.optional() }),
    reply: z.looseObject({ session: text, branch: text, kind: text }),
    refused,
  },
  discard: {
    method: 'POST',
    path: '/sessions/:id/discard',
    summary: 'Deletes worktree, branch and checkpoints of a session; asks for its id',
    params: ofSession,
    body: z.strictObject({ confirm }),
    reply: z.strictObject(files.discard),
    refused,
  },
  undo: {
    method: 'POST',
    path: '/sessions/:id/undo',
    summary: 'Takes what was accepted out of its base branch again',
    params: ofSession,
    body: z.strictObject({}),
    reply: z.looseObject({ session: text, kind: text }),
    refused,
  },
  hold: {
    method: 'POST',
    path: '/sessions/:id/hold',
    summary: 'Puts a session aside as one ref, which can be pushed',
    params: ofSession,
    body: z.strictObject({}),
    reply: z.strictObject(files.hold),
    refused,
  },
  unhold: {
    method: 'POST',
    path: '/sessions/:id/unhold',
    summary: 'Makes a held session a session here',
    params: ofSession,
    body: z.strictObject({}),
    reply: z.strictObject(files.unhold),
    refused,
  },
  stageTasks: {
    method: 'GET',
    path: '/sessions/:id/stage-tasks',
    summary: 'The stage tasks of a session: with its process those that can be reached, else how they ended',
    params: ofSession,
    reply: z.strictObject({
      reachable: z.boolean(),
      tasks: z.array(
        z.strictObject({
          id: text,
          status: text,
          interactive: z.boolean(),
          agent: text.exactOptional(),
          mode: text.exactOptional(),
          since: count.exactOptional(),
          question: text.exactOptional(),
          choices: list.exactOptional(),
        }),
      ),
    }),
    refused: ['not-found'],
  },
  answer: {
    method: 'POST',
    path: '/sessions/:id/stage-tasks/:task/answer',
    summary: 'Answers what an agent asks',
    params: ofStageTask,
    body: z.strictObject({ text: words }),
    reply: z.strictObject(stageTask),
    refused,
  },
  complete: {
    method: 'POST',
    path: '/sessions/:id/stage-tasks/:task/complete',
    summary: 'Ends a stage task as done',
    params: ofStageTask,
    body: z.strictObject({}),
    reply: z.strictObject(stageTask),
    refused,
  },
  stop: {
    method: 'POST',
    path: '/sessions/:id/stage-tasks/:task/stop',
    summary: 'Ends a stage task as not done',
    params: ofStageTask,
    body: z.strictObject({}),
    reply: z.strictObject(stageTask),
    refused,
  },
  type: {
    method: 'POST',
    path: '/sessions/:id/stage-tasks/:task/input',
    summary: 'Types into the terminal of a stage task',
    params: ofStageTask,
    body: z.strictObject({ text: words }),
    reply: z.strictObject({ session: text, task: text }),
    refused,
  },
  runtimes: {
    method: 'GET',
    path: '/runtimes',
    summary: 'Who works on the backlog, on what, and whether it lives',
    reply: z.strictObject({ runtimes: z.array(z.looseObject({ id: text, name: text, dead: z.boolean() })) }),
  },
  startRuntime: {
    method: 'POST',
    path: '/runtimes',
    summary: 'Starts a runtime for the backlog in a process of its own',
    body: z.strictObject({
      role: z.enum(ROLES).optional(),
      concurrency: z.int().positive().max(64).optional(),
      once: z.boolean().optional(),
    }),
    reply: z.strictObject({ pid: count }),
    status: 202,
    refused: ['conflict', 'denied'],
  },
  stopRuntime: {
    method: 'POST',
    path: '/runtimes/:id/stop',
    summary: 'Asks a runtime to park what it does and to end',
    params: z.strictObject({ id }),
    body: z.strictObject({}),
    reply: z.strictObject({ id: text, pid: count }),
    refused: ['not-found', 'conflict'],
  },
});
