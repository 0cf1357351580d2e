import * as z from 'zod';
import { STATES } from '../../backlog/words.ts';
import { ROLES } from '../../kernel/runtime-words.ts';
import { count, list, text } from '../shapes.ts';
import { draft as draftShape } from '../task-file.ts';
import * as backlog from '../views/backlog.ts';
import { cursor, id, number, ofTask, table } from './route.ts';

export const task = z.strictObject(backlog.task);

/** What a person says about a task. */
const draft = draftShape.omit({ key: true }).partial().extend({
  /** Other tasks that must be done before, by id or by its end. */
  needs: list.optional(),
});
const refused = ['not-found', 'conflict', 'busy', 'denied'] as const;
const notes = z.string().max(100_000);

export const backlogRoutes = table({
  tasks: {
    method: 'GET',
    path: '/tasks',
    summary: 'Tasks in the order of the line, with what they wait for',
    query: z.strictObject({
      state: z.enum(STATES).optional(),
      role: z.enum(ROLES).optional(),
      q: text.optional(),
      /** Only those behind this one in the list. */
      after: id.optional(),
      limit: number.optional(),
    }),
    reply: z.strictObject({
      tasks: z.array(task),
      ...cursor,
      /** How many there are in each state. */
      states: z.record(z.enum(STATES), count),
    }),
  },
  task: {
    method: 'GET',
    path: '/tasks/:id',
    summary: 'Everything that is known about a task',
    params: ofTask,
    reply: z.strictObject(backlog.story),
    refused: ['not-found'],
  },
  addTask: {
    method: 'POST',
    path: '/tasks',
    summary: 'Adds a task',
    body: draft.extend({ title: z.string().min(1) }),
    reply: task,
    refused,
  },
  importTasks: {
    method: 'POST',
    path: '/tasks/import',
    summary: 'Adds the tasks of a checklist or a JSON text, or the open issues of the repository',
    body: z.union([
      z.strictObject({ text: z.string().min(1), format: z.enum(['markdown', 'json']) }),
      z.strictObject({ issues: z.strictObject({ labels: list.optional() }) }),
    ]),
    reply: z.strictObject(backlog.added),
    refused,
  },
  editTask: {
    method: 'PATCH',
    path: '/tasks/:id',
    summary: 'Changes what a person decides about a task',
    params: ofTask,
    body: draft,
    reply: task,
    refused,
  },
  removeTask: {
    method: 'DELETE',
    path: '/tasks/:id',
    summary: 'Deletes a task with its runs and events; asks for its id',
    params: ofTask,
    body: z.strictObject({ confirm: id.optional() }),
    reply: z.strictObject({ id: text, notes: list }),
    refused,
  },
  approve: {
    method: 'POST',
    path: '/tasks/:id/approve',
    summary: 'Accepts what a task delivered: it is done; without proof it asks for its id',
    params: ofTask,
    body: z.strictObject({
      merge: z.boolean().optional(),
      message: notes.optional(),
      unproven: z.boolean().optional(),
      suspicious: notes.optional(),
      confirm: id.optional(),
    }),
    reply: z.looseObject({ task: text, verdict: z.literal('approve'), already: z.boolean(), base: text }),
    refused,
  },
  rework: {
    method: 'POST',
    path: '/tasks/:id/rework',
    summary: 'Asks for another attempt, with notes',
    params: ofTask,
    body: z.strictObject({ notes: notes.min(1) }),
    reply: z.strictObject({ task: text, verdict: z.literal('rework') }),
    refused,
  },
  requeue: {
    method: 'POST',
    path: '/tasks/:id/requeue',
    summary: 'Puts a failed, blocked or cancelled task back in line',
    params: ofTask,
    body: z.strictObject({ notes: notes.optional() }),
    reply: task,
    refused,
  },
  cancel: {
    method: 'POST',
    path: '/tasks/:id/cancel',
    summary: 'Takes a task out of the line; one that runs is stopped',
    params: ofTask,
    body: z.strictObject({ reason: z.string().max(2000).optional() }),
    reply: z.strictObject({ task, notes: list }),
    refused,
  },
  restorable: {
    method: 'GET',
    path: '/tasks/:id/restore',
    summary: 'What could be put back of what a task in direct mode changed',
    params: ofTask,
    reply: z.strictObject({ task: text, files: z.array(z.looseObject({ path: text, wanted: z.boolean() })) }),
    refused,
  },
  restore: {
    method: 'POST',
    path: '/tasks/:id/restore',
    summary: 'Puts back what a task in direct mode changed',
    params: ofTask,
    body: z.strictObject({ files: list.optional() }),
    reply: z.looseObject({ task: text, restored: list }),
    refused,
  },
});
