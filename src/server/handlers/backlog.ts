import type { backlogRoutes } from '../../api/routes/backlog.ts';
import { given } from './acts.ts';
import { requireConfirmed } from './confirmed.ts';
import { type Handlers, reply } from './context.ts';

const LISTED = 500;

export const backlogHandlers: Handlers<keyof typeof backlogRoutes> = {
  tasks: async ({ query }, { project, following }) => {
    const { state, role, q, after, limit = LISTED } = query;
    const all = await project.tasks({
      ...(state === undefined ? { all: true } : { states: [state] }),
      ...(role === undefined ? {} : { role }),
    });
    const wanted = q?.toLowerCase();
    const fitting = all.filter(
      (task) =>
        wanted === undefined || `${task.id} ${task.title} ${task.goal}`.toLowerCase().includes(wanted),
    );
    const from = after === undefined ? 0 : fitting.findIndex(({ id }) => id === after) + 1;
    const tasks = fitting.slice(from, from + limit);
    const next = from + tasks.length < fitting.length ? (tasks.at(-1)?.id ?? null) : null;
    return reply('tasks', { tasks, next, total: fitting.length, states: await following.taskCounts() });
  },

  task: async ({ params }, { project }) => reply('task', await project.story(params.id)),

  addTask: async ({ body }, { project }) => {
    const { title, ...words } = body;
    return reply('addTask', await project.addTask(title, given(words)));
  },
  importTasks: async ({ body }, { project }) =>
    reply('importTasks', await project.importTasks('issues' in body ? { issues: given(body.issues) } : body)),
  editTask: async ({ params, body }, { project }) =>
    reply('editTask', await project.editTask(params.id, given(body))),

  removeTask: async ({ params, body }, { project }) => {
    requireConfirmed(params.id, body.confirm, 'Deleting a task');
    return reply('removeTask', await project.removeTask(params.id));
  },

  approve: async ({ params, body }, { project }) => {
    const { confirm, ...request } = body;
    if (body.unproven) requireConfirmed(params.id, confirm, 'Accepting what nothing proves');
    return reply('approve', await project.approveTask(params.id, given(request)));
  },
  rework: async ({ params, body }, { project }) => project.reworkTask(params.id, body.notes),
  requeue: async ({ params, body }, { project }) =>
    reply(
      'requeue',
      await project.requeueTask(params.id, { reason: 'put back in line from the dashboard', ...given(body) }),
    ),
  cancel: async ({ params, body }, { project }) =>
    reply('cancel', await project.cancelTask(params.id, body.reason ?? 'cancelled from the dashboard')),

  restorable: async ({ params }, { project }) =>
    reply('restorable', await project.restorableFiles(params.id)),
  restore: async ({ params, body }, { project }) =>
    reply('restore', await project.restore(params.id, body.files ?? [])),
};
