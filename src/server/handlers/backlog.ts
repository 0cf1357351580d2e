import type { backlogRoutes } from '../../api/routes/backlog.ts';
import { type Handlers, reply } from './context.ts';

const LISTED = 500;

export const backlogHandlers: Handlers<keyof typeof backlogRoutes> = {
  tasks: async ({ query }, { project }) => {
    const { state, role, q, after, limit = LISTED } = query;
    const all = await project.tasks({ all: true, ...(role === undefined ? {} : { role }) });
    const states: { [state: string]: number } = {};
    for (const task of all) states[task.state] = (states[task.state] ?? 0) + 1;
    const wanted = q?.toLowerCase();
    const fitting = all.filter(
      (task) =>
        (state === undefined || task.state === state) &&
        (wanted === undefined || `${task.id} ${task.title} ${task.goal}`.toLowerCase().includes(wanted)),
    );
    const from = after === undefined ? 0 : fitting.findIndex(({ id }) => id === after) + 1;
    const tasks = fitting.slice(from, from + limit);
    const next = from + tasks.length < fitting.length ? (tasks.at(-1)?.id ?? null) : null;
    return reply('tasks', { tasks, next, total: fitting.length, states });
  },

  task: async ({ params }, { project }) => reply('task', await project.story(params.id)),
};
