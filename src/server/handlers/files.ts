import type { fileRoutes } from '../../api/routes/files.ts';
import { given } from './acts.ts';
import { type Handlers, reply } from './context.ts';

const MOST_LINES = 5000;

export const fileHandlers: Handlers<keyof typeof fileRoutes> = {
  timeline: async ({ params }, { project, gitReads }) => {
    const { session, checkpoints } = await gitReads.take(() => project.timeline(params.id));
    return reply('timeline', { session, checkpoints });
  },

  diff: async ({ params, query }, { project, gitReads }) => {
    const { patch, ...range } = query;
    const found = await gitReads.take(() => project.diff(params.id, given(range)));
    const { text, next: _next, ...summary } = found;
    return reply('diff', { ...summary, ...(patch ? { patch: text } : {}) });
  },

  diffFile: async ({ params, query }, { project, gitReads }) => {
    const { path, ...range } = query;
    return reply('diffFile', await gitReads.take(() => project.diffFile(params.id, path, given(range))));
  },

  logs: async ({ params }, { following }) => reply('logs', following.logs(params.id)),

  log: async ({ params, query }, { following }) => {
    const { limit, ...rest } = query;
    const most = limit === undefined ? {} : { limit: Math.min(limit, MOST_LINES) };
    return reply('log', following.logPage(params.id, params.name, { ...given(rest), ...most }));
  },

  searchLog: async ({ params, query }, { following }) =>
    reply('searchLog', following.logSearch(params.id, params.name, query.q)),
};
