import { systemClock } from '../../kernel/clock.ts';
import type { RosterEntry } from '../../manifest/definition.ts';
import { askModel } from '../../models/ask-model.ts';
import { limitsOf } from '../agent/job.ts';
import type { StepInTree } from '../step.ts';
import { requestOf } from './request.ts';
import { type ModelRun, Told } from './told.ts';

const NO_MODELS = 'models can be called only in a project';

/** Asks a model for what a block wants, as a task of the step, and ends as the run of an agent would. */
export async function runModel(step: StepInTree, model: string, entry: RosterEntry): Promise<ModelRun> {
  const { services, context, run, worktree } = step;
  if (!services.models) throw new Error(NO_MODELS);
  const began = performance.now();
  const request = requestOf(context, entry, worktree);
  const told = new Told(step, model, request);
  const { timeoutMs } = limitsOf(entry, services.timeoutMs);
  const limit = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const cancel = limit ? AbortSignal.any([run.cancel, limit]) : run.cancel;
  told.started();
  try {
    const asked = await askModel(model, request, told, {
      ...services.models,
      now: () => (services.clock ?? systemClock).now(),
      cancel,
      called: (call) => told.called(call),
    });
    return told.ended(asked, {
      kind: 'exited',
      code: asked.ok ? 0 : 1,
      durationMs: performance.now() - began,
    });
  } catch (error) {
    if (run.cancel.aborted || !limit?.aborted) throw error;
    const durationMs = performance.now() - began;
    const afterMs = timeoutMs ?? durationMs;
    return told.ended(undefined, { kind: 'timed-out', limit: 'total', afterMs, durationMs });
  } finally {
    told.close();
  }
}
