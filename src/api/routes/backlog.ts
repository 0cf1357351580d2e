import * as z from 'zod';
import { STATES } from '../../backlog/words.ts';
import { ROLES } from '../../kernel/runtime-words.ts';
import { count, text } from '../shapes.ts';
import * as backlog from '../views/backlog.ts';
import { cursor, id, number, ofTask, table } from './route.ts';

export const task = z.strictObject(backlog.task);

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
});
