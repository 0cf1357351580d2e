import { basename } from 'node:path';
import { openApi } from '../../api/routes/openapi.ts';
import type { serverRoutes } from '../../api/routes/server.ts';
import { Refused } from '../http/problem.ts';
import { type Handlers, reply } from './context.ts';

const DAY_MS = 86_400_000;

export const serverHandlers: Handlers<keyof typeof serverRoutes> = {
  health: async () => ({ ok: true }),

  logIn: async ({ body }, { callers, hub, giveCookie }) => {
    const halves = callers.redeem(body.token);
    if (!halves) throw new Refused('unauthorised', 'This address was used already, or is too old.');
    giveCookie(halves);
    return { proof: halves.proof, boot: hub.boot };
  },

  logOut: async (_given, { caller, callers, giveCookie }) => {
    if (caller) callers.forget(caller);
    giveCookie(undefined);
    return { ok: true };
  },

  me: async (_given, { project, hub, readOnly, caller, version }) => {
    const { trusted } = await project.trusted();
    return {
      version,
      boot: hub.boot,
      project: { dir: project.dir, name: basename(project.dir) },
      readOnly,
      trusted,
      by: caller?.by ?? 'browser',
    };
  },

  overview: async (_given, { project, following }) => {
    const sessions = following.sessions();
    const readable = sessions.flatMap((session) => ('word' in session ? [session] : []));
    const tasks = await following.taskCounts();
    const since = Date.now() - DAY_MS;
    const recent = readable.filter(({ updatedAt }) => updatedAt >= since);
    const done = tasks.done === 0 ? [] : await project.tasks({ states: ['done'], updatedSince: since });
    return reply('overview', {
      sessions: { total: sessions.length, byWord: counted(readable.map(({ word }) => word)) },
      running: readable.filter(({ status, ownerAlive }) => status === 'running' && ownerAlive),
      waiting: readable.filter(({ status }) => status === 'waiting' || status === 'parked'),
      tasks,
      lastDay: {
        done:
          done.length + recent.filter(({ status, task }) => status === 'completed' && task === null).length,
        unverified: done.filter(({ unverified }) => unverified === true).length,
        failed: recent.filter(({ status }) => status === 'failed').length,
        usd: recent.reduce((sum, { used }) => sum + used.usd, 0),
      },
    });
  },

  openapi: async () => reply('openapi', openApi()),
};

function counted(words: readonly string[]): { [word: string]: number } {
  const counts: { [word: string]: number } = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
