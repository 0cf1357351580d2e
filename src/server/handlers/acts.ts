import type { actRoutes, Continuing } from '../../api/routes/acts.ts';
import { NotFoundError } from '../../kernel/errors.ts';
import { requireConfirmed } from './confirmed.ts';
import { type Call, type Handlers, reply } from './context.ts';

const HERE = 'from the dashboard';

export const actHandlers: Handlers<keyof typeof actRoutes> = {
  startSession: async ({ body }, { start }) => {
    const { session, pid } = await start({ do: 'run', run: body });
    return { session: session ?? '', pid };
  },
  resume: ({ params, body }, call) => goOn('resume', params.id, body, call),
  retry: ({ params, body }, call) => goOn('retry', params.id, body, call),
  runStep: ({ params, body }, call) => goOn('step', params.id, body, call),

  interrupt: async ({ params, body }, { project }) =>
    project.interrupt(params.id, body.reason ?? `interrupted ${HERE}`),

  abort: async ({ params, body }, { project }) => {
    const id = await project.findSession(params.id);
    requireConfirmed(id, body.confirm, 'Ending a session for good');
    const { reason = `aborted ${HERE}`, guidance } = body;
    return project.abort(id, { reason, ...(guidance === undefined ? {} : { guidance }) });
  },

  fork: async ({ params, body }, { project, start }) => {
    const forked = await project.fork(params.id, { at: body.at });
    if (!body.run) return reply('fork', forked);
    const { guidance } = body;
    const { pid } = await start({
      do: 'resume',
      session: forked.session,
      with: guidance === undefined ? {} : { guidance },
    });
    return reply('fork', { ...forked, pid });
  },

  rewind: async ({ params, body }, { project }) =>
    reply('rewind', await project.rewind(params.id, { to: body.to })),

  delivery: async ({ params }, { project, gitReads }) =>
    reply('delivery', await gitReads.take(() => project.delivery(params.id))),

  accept: async ({ params, body }, { project }) => {
    const { confirm, ...request } = body;
    if (body.unproven) requireConfirmed(params.id, confirm, 'Accepting what nothing proves');
    return reply('accept', await project.accept(params.id, given(request)));
  },

  keep: async ({ params, body }, { project }) => reply('keep', await project.keep(params.id, given(body))),

  discard: async ({ params, body }, { project }) => {
    const id = await project.findSession(params.id);
    requireConfirmed(id, body.confirm, 'Discarding');
    return reply('discard', await project.discard(id));
  },

  undo: async ({ params }, { project }) => reply('undo', await project.undo(params.id)),
  hold: async ({ params }, { project }) => reply('hold', await project.hold(params.id)),
  unhold: async ({ params }, { project }) => reply('unhold', await project.unhold(params.id)),

  stageTasks: async ({ params }, { project }) => reply('stageTasks', await project.stageTasks(params.id)),
  answer: async ({ params, body }, { project }) =>
    project.answer(params.id, body.text, { stageTask: params.task }),
  complete: async ({ params }, { project }) =>
    project.endStageTask('complete', params.id, { stageTask: params.task }),
  stop: async ({ params }, { project }) =>
    project.endStageTask('stop', params.id, { stageTask: params.task }),
  type: async ({ params, body }, { project }) => project.typeInto(params.id, params.task, body.text),

  runtimes: async (_given, { project }) => reply('runtimes', { runtimes: await project.runtimes() }),

  startRuntime: async ({ body }, { start }) => {
    const { pid } = await start({ do: 'work', ...given(body) });
    return { pid };
  },

  stopRuntime: async ({ params }, { project }) => {
    const known = (await project.runtimes()).find(({ id }) => id === params.id);
    if (!known) throw new NotFoundError(`There is no runtime ${params.id}.`);
    return { id: known.id, pid: await project.stopRuntime(known.id) };
  },
};

async function goOn(
  how: 'resume' | 'retry' | 'step',
  written: string,
  body: Continuing,
  { project, start }: Call,
): Promise<{ session: string; pid: number }> {
  const session = await project.findSession(written);
  if (body.takeOver) requireConfirmed(session, body.confirm, 'Taking a session from a process that runs it');
  const { pid } = await start({ do: how, session, with: body });
  return { session, pid };
}

type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Without the fields that were left out: to a use case they are not the same as undefined. */
export function given<T extends object>(body: T): Given<T> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Given<T>;
}
