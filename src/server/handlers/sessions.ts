import type { sessionRoutes } from '../../api/routes/sessions.ts';
import { type Handlers, reply, told } from './context.ts';
import { graphOf } from './graph.ts';

const LISTED = 500;

export const sessionHandlers: Handlers<keyof typeof sessionRoutes> = {
  needsYou: async (_given, call) => {
    const items = await call.project.needsYou();
    const snoozed = await call.project.snoozed();
    return reply('needsYou', {
      items: items.map(({ actions, ...item }) => {
        const id = `${item.kind}-${item.session ?? item.task ?? ''}-${item.since}`;
        const until = snoozed[id];
        return {
          id,
          ...item,
          actions: told(actions, call),
          ...(until === undefined ? {} : { snoozedUntil: until }),
        };
      }),
    });
  },

  snooze: async ({ params }, { project }) => project.snooze(params.item),

  sessions: async ({ query }, { following }) => {
    const { before, limit = LISTED, status, q, workflow } = query;
    const wanted = q?.toLowerCase();
    const fitting = following.sessions().filter((session) => {
      if (status !== undefined && ('word' in session ? session.word : session.status) !== status)
        return false;
      if (workflow !== undefined && !('workflow' in session && session.workflow === workflow)) return false;
      if (wanted === undefined) return true;
      const text = 'goal' in session ? `${session.id} ${session.goal}` : session.id;
      return text.toLowerCase().includes(wanted);
    });
    const rest = before === undefined ? fitting : fitting.filter(({ id }) => id < before);
    const sessions = rest.slice(0, limit);
    const next = rest.length > sessions.length ? (sessions.at(-1)?.id ?? null) : null;
    return reply('sessions', { sessions, next, total: fitting.length });
  },

  session: async ({ params }, call) => {
    const view = await call.project.session(params.id);
    const { actions, trail, history: _history, payload: _payload, ...page } = view;
    return reply('session', { ...page, steps: trail.length, next: told(actions, call) });
  },

  live: async ({ params }, { project, sources }) => {
    const id = await project.findSession(params.id);
    return reply('live', { live: sources.liveOf(id) });
  },

  manifest: async ({ params }, { following }) =>
    reply('manifest', { manifest: following.manifest(params.id) }),

  graph: async ({ params }, { following }) => reply('graph', graphOf(following.manifest(params.id))),

  steps: async ({ params, query }, { following }) => {
    const { before, limit, block, signal } = query;
    return reply(
      'steps',
      following.steps(params.id, {
        ...(before === undefined ? {} : { before }),
        ...(limit === undefined ? {} : { limit }),
        ...(block === undefined ? {} : { block }),
        ...(signal === undefined ? {} : { signal }),
      }),
    );
  },

  step: async ({ params }, { following }) => {
    const { row, record, added } = following.stepRecord(params.id, params.step);
    const { dropped = [], stack, tree, counted, strayed } = record;
    return reply('step', {
      ...row,
      added,
      dropped,
      ...(stack ? { stack } : {}),
      ...(tree === undefined ? {} : { tree }),
      ...(counted?.failure === undefined ? {} : { failure: counted.failure }),
      ...(strayed ? { strayed } : {}),
    });
  },

  stepContext: async ({ params }, { project }) =>
    reply('stepContext', await project.stepContext(params.id, params.step)),

  nextContext: async ({ params }, { project }) => reply('nextContext', await project.nextContext(params.id)),
};
