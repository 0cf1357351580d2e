import type { reviewRoutes } from '../../api/routes/review.ts';
import { NotFoundError, UsageError } from '../../kernel/errors.ts';
import { aligned } from './compare.ts';
import { type Call, type Handlers, reply } from './context.ts';

export const reviewHandlers: Handlers<keyof typeof reviewRoutes> = {
  said: async ({ params }, { project }) =>
    reply('said', { said: (await project.session(params.id)).history }),

  epochs: async ({ params }, { following }) =>
    reply('epochs', {
      epochs: following.steps(params.id, { limit: 1 }).marks.filter(({ kind }) => kind === 'owner'),
    }),

  segment: async ({ params }, { project, following }) => {
    const step = /^(\d+)\./.exec(params.segment)?.[1];
    const added = step === undefined ? [] : ofStep(following, params.id, Number(step));
    const found =
      added.find(({ id }) => id === params.segment) ??
      (await project.session(params.id, { payload: true })).payload?.find(({ id }) => id === params.segment);
    if (!found) throw new NotFoundError(`The history has no segment ${params.segment}.`);
    return reply('segment', { segment: found });
  },

  evidence: async ({ params }, { project }) => reply('evidence', await project.evidence(params.id)),

  compare: async ({ query }, { project, following }) => {
    const [a, b] = [await project.findSession(query.a), await project.findSession(query.b)];
    const all = { limit: Number.MAX_SAFE_INTEGER };
    return reply('compare', {
      a,
      b,
      ...aligned(following.steps(a, all).steps, following.steps(b, all).steps),
    });
  },

  review: async ({ params }, { project }) => reply('review', await project.review(params.id)),
  saveReview: async ({ params, body }, { project }) =>
    reply('saveReview', await project.saveReview(params.id, body)),

  sendReview: async ({ params, body }, call) => {
    const { project } = call;
    const { session, text } = await project.reviewGuidance(params.id);
    if (body.preview) return { session, text, sent: false };
    const goesOn = await carry(session, text, body, call);
    await project.reviewSent(session);
    return { session, text, sent: true, goesOn };
  },

  plan: async ({ params }, { project }) => reply('plan', await project.plan(params.id)),
  extendPlan: async ({ params, body }, { project }) =>
    reply('extendPlan', await project.extendPlan(params.id, body.add)),
  plans: async (_given, { project }) => reply('plans', { plans: await project.plans() }),
  conflicts: async (_given, { project }) => reply('conflicts', await project.conflicts()),
  previewPlan: async ({ body }, { project }) =>
    reply('previewPlan', { paths: await project.planPreview(body.paths) }),
};

function ofStep(following: Call['following'], session: string, step: number) {
  try {
    return following.stepRecord(session, step).added;
  } catch (error) {
    if (error instanceof NotFoundError) return [];
    throw error;
  }
}

interface Sending {
  readonly as: 'retry' | 'resume' | 'fork' | 'type' | 'rework' | 'requeue';
  readonly task?: string | undefined;
}

/** Brings the words to whoever works next; gives the session that goes on with them. */
async function carry(session: string, text: string, { as, task }: Sending, call: Call): Promise<string> {
  const { project, start } = call;
  switch (as) {
    case 'retry':
    case 'resume':
      await start({ do: as, session, with: { guidance: text } });
      return session;
    case 'fork': {
      const { step } = await project.session(session);
      const { session: forked } = await project.fork(session, { at: step });
      await start({ do: 'resume', session: forked, with: { guidance: text } });
      return forked;
    }
    case 'type':
      if (task === undefined) throw new UsageError('Say which stage task it is typed into.');
      await project.typeInto(session, task, `${text}\r`);
      return session;
    case 'rework':
    case 'requeue': {
      const { task: of } = await project.session(session);
      if (of === null) throw new UsageError('This session is no run of a task.');
      if (as === 'rework') await project.reworkTask(of.id, text);
      else await project.requeueTask(of.id, { reason: 'reviewed in the dashboard', notes: text });
      return session;
    }
  }
}
