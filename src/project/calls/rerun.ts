import { ConflictError, UsageError } from '../../kernel/errors.ts';
import { sortableIds } from '../../kernel/ids.ts';
import type { RosterEntry } from '../../manifest/definition.ts';
import { isModelName } from '../../manifest/model-name.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import { RUN_STAGE, type StageParameters } from '../../manifest/stages/definition.ts';
import { entryFrom } from '../../workers/agent/entry.ts';
import { uncountedAgent } from '../../workers/agent/uncounted.ts';
import { adaptersOf } from '../../workers/services.ts';
import { openKeptSession } from '../files/opened-session.ts';
import type { OpenProject } from '../open.ts';
import { refuseInside } from '../runs/nested.ts';
import { type Call, callDetail } from './calls.ts';
import { EXPERIMENT_PERMISSIONS, type Experiment, writeExperiment } from './experiment-file.ts';

export interface RerunRequest {
  /** What is sent; as it was sent the first time when left out. */
  readonly prompt?: string;
  readonly agent?: string;
  readonly model?: string;
  /** `read` when left out. */
  readonly permissions?: string;
  /** What it may cost; half a dollar when left out. */
  readonly maxUsd?: number;
}

const MOST_USD = 0.5;
const newId = sortableIds();

/** Makes an experiment of a call; it waits until a process runs it. Nothing of the session changes. */
export async function rerunCall(
  opened: OpenProject,
  written: string,
  wanted: string,
  request: RerunRequest = {},
): Promise<Experiment> {
  refuseInside();
  const { prompts, ...call } = await callDetail(opened, written, wanted);
  const entry = originalEntry(opened.sessions.load(call.session).manifest, call);
  const { agent = call.agent, maxUsd = MOST_USD } = request;
  const permissions = readPermissions(request.permissions ?? 'read');
  const model = request.model ?? (agent === call.agent ? entry.model : undefined);
  const prompt = request.prompt ?? prompts.at(-1)?.text ?? '';
  if (prompt.trim() === '') throw new UsageError('There is no prompt to send.', { next: 'Write one.' });
  if (!(maxUsd > 0)) throw new UsageError(`An experiment cannot cost up to ${maxUsd} dollars.`);
  refuseUnheld(opened, { agent, model, permissions, maxUsd });
  const experiment: Experiment = {
    experiment: newId(),
    session: call.session,
    call: call.call,
    step: call.step,
    block: call.block,
    at: Date.now(),
    prompt,
    agent,
    ...(model === undefined ? {} : { model }),
    permissions,
    maxUsd,
    on: await filesFor(opened, call, permissions),
    status: 'waiting',
    answer: '',
    tokens: 0,
    usd: 0,
    estimated: false,
    ms: 0,
    denied: [],
    files: [],
    diff: '',
  };
  writeExperiment(opened, experiment);
  return experiment;
}

/** How the worker of a call was described, by its block or by its stage. */
export function originalEntry(
  { blocks, workers }: ResolvedManifest,
  call: Pick<Call, 'block' | 'worker'>,
): Partial<Pick<RosterEntry, 'model' | 'extraArgs' | 'env' | 'minutes' | 'silenceMinutes'>> {
  const block = blocks[call.block];
  if (!block) return {};
  if (block.worker !== RUN_STAGE) return entryFrom(workers[block.worker] ?? {}, block.with);
  const { tasks } = block.with as unknown as StageParameters;
  return tasks.find(({ id }) => id === call.worker) ?? {};
}

function readPermissions(written: string): Experiment['permissions'] {
  const found = EXPERIMENT_PERMISSIONS.find((known) => known === written);
  if (found) return found;
  throw new UsageError(`"${written}" is not what an experiment may do.`, {
    next: `Use one of ${EXPERIMENT_PERMISSIONS.join(', ')}: nobody is there to be asked.`,
  });
}

/** Refuses what the agent cannot do, and a price that nobody could hold. */
function refuseUnheld(
  { services }: OpenProject,
  {
    agent,
    model,
    permissions,
    maxUsd,
  }: Pick<Experiment, 'agent' | 'permissions' | 'maxUsd'> & {
    readonly model: string | undefined;
  },
): void {
  if (isModelName(agent))
    throw new UsageError(`${agent} is a model, and only calls of agents are run again.`, {
      next: 'Choose an agent.',
    });
  const entry = { permissions, ...(model === undefined ? {} : { model }) };
  const problems = adaptersOf(services).problems(agent, 'headless', entry);
  if (problems.length > 0) throw new UsageError(problems.join(' '));
  if (uncountedAgent({ worker: agent, agent, mode: 'headless', entry }, { usd: maxUsd }, services))
    throw new ConflictError(`Nobody can tell what ${agent} uses, so its price could not be held.`, {
      next: 'Choose another agent, or a model whose price is known.',
    });
}

/** A session that worked in place has no files from before the step: the project may then only be read. */
async function filesFor(
  opened: OpenProject,
  { session, step }: Call,
  permissions: Experiment['permissions'],
): Promise<Experiment['on']> {
  if (opened.sessions.load(session).state.files !== null) {
    const { checkpoints } = await openKeptSession(opened, session, { orTask: true });
    if (await checkpoints.at(step - 1)) return 'copy';
  }
  if (permissions === 'read') return 'project';
  throw new ConflictError(
    `The files before step ${step} of session ${session} were not kept, so an experiment may only read the project.`,
    { next: 'Let it only read.' },
  );
}
