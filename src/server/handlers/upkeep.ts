import type { upkeepRoutes } from '../../api/routes/upkeep.ts';
import { LoopwrightError, UsageError } from '../../kernel/errors.ts';
import { given } from './acts.ts';
import { type Handlers, reply, told } from './context.ts';
import { graphOf } from './graph.ts';

const DAY_MS = 86_400_000;

export const upkeepHandlers: Handlers<keyof typeof upkeepRoutes> = {
  workflows: async (_given, { project }) => reply('workflows', { workflows: await project.workflows() }),

  workflow: async ({ params }, { project }) => {
    const found = await project.workflowText(params.name);
    const document = parsed(found.text);
    const validation = document
      ? await project.validate(document as never)
      : {
          valid: false,
          problems: [{ severity: 'error', message: 'It is not valid JSON.', path: [], text: '' }],
        };
    return reply('workflow', { ...found, graph: await drawn(project, document), validation });
  },

  validateWorkflow: async ({ body }, { project }) =>
    reply(
      'validateWorkflow',
      await project.validate(body.document as never, { strict: body.strict ?? false }),
    ),
  simulate: async ({ body }, { project }) =>
    reply('simulate', await project.simulateScenario(body.name, body.scenario)),

  worktrees: async (_given, { project, gitReads }) =>
    reply('worktrees', await gitReads.take(() => project.worktrees())),
  gc: async ({ body }, { project }) => {
    const { dryRun, force = false } = body;
    if (force && !dryRun && body.confirm !== 'force')
      throw new UsageError('Forcing deletes work that is nowhere else: confirm it.');
    return reply('gc', await project.gc({ dryRun, force }));
  },
  disk: async (_given, { project }) => reply('disk', { disk: await project.disk() }),
  clean: async ({ body }, { project }) => {
    const { dryRun, ...request } = body;
    return reply('clean', await (dryRun ? project.cleanable(given(request)) : project.clean(given(request))));
  },

  agents: async (_given, { project }) =>
    reply('agents', { ...(await project.agents()), blocked: await project.blockedAgents() }),
  doctor: async (_given, call) => {
    const { findings, ok } = await call.project.doctor();
    return reply('doctor', {
      ok,
      findings: findings.map(({ next, ...finding }) => ({
        ...finding,
        ...(next ? { next: told([next], call)[0] } : {}),
      })),
    });
  },
  unblockAgent: async ({ params }, { project }) => project.unblockAgent(params.name),

  costs: async ({ query }, { project }) => {
    const { by, days } = query;
    const from = days === undefined ? {} : { from: Date.now() - days * DAY_MS };
    return reply('costs', await project.costs({ ...(by === undefined ? {} : { by }), ...from }));
  },
  budget: async (_given, { project }) => reply('budget', await project.budget()),
  raiseBudget: async ({ body }, { project }) =>
    reply('raiseBudget', await project.budget({ raise: given(body.raise) })),

  settings: async (_given, { project }) => reply('settings', await project.config()),
  setSetting: async ({ body }, { project }) => project.setSetting(body.key, body.value),

  calls: async ({ params }, { project }) => reply('calls', { calls: await project.callsOf(params.id) }),
  call: async ({ params }, { project }) => reply('call', await project.callDetail(params.id, params.call)),

  recentCalls: async ({ query }, { project }) =>
    reply('recentCalls', { calls: await project.recentCalls(given(query)) }),
  rerunCall: async ({ params, body }, { project, start }) => {
    const { experiment } = await project.rerunCall(params.id, params.call, given(body));
    return { experiment, pid: (await start({ do: 'experiment', experiment })).pid };
  },
  experiments: async ({ params }, { project }) =>
    reply('experiments', { experiments: (await project.experiments(params.id)).map(withoutOwner) }),
  experiment: async ({ params }, { project }) =>
    reply('experiment', withoutOwner(await project.experiment(params.id))),
  stopExperiment: async ({ params }, { project }) => {
    const { experiment } = await project.stopExperiment(params.id);
    return { experiment };
  },
  removeExperiment: async ({ params }, { project }) => project.removeExperiment(params.id),

  researchJobs: async (_given, { project }) => reply('researchJobs', { jobs: await project.researchJobs() }),
  startResearch: async ({ body }, { start }) => {
    const { pid } = await start({ do: 'research', ...body } as Parameters<typeof start>[0]);
    return { pid };
  },
  researchJob: async ({ params }, { project }) => reply('researchJob', await project.researchJob(params.id)),
  continueResearch: async ({ params }, { project, start }) => {
    const { job } = await project.researchJob(params.id);
    return { pid: (await start({ do: 'research', continue: job })).pid };
  },
};

/** Which process runs it is nothing for a page. */
function withoutOwner({ owner: _owner, ...rest }: { readonly owner?: unknown }): object {
  return rest;
}

type Project = Parameters<(typeof upkeepHandlers)['disk']>[1]['project'];

/** Null for what cannot be drawn: its problems say why. */
async function drawn(project: Project, document: unknown): Promise<object | null> {
  if (!document) return null;
  try {
    return graphOf((await project.graph(document as never)).manifest);
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    return null;
  }
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
