import { systemClock } from '../../kernel/clock.ts';
import type { RosterEntry } from '../../manifest/definition.ts';
import { askModel } from '../../models/ask-model.ts';
import type { ModelRequest } from '../../models/call.ts';
import { limitsOf } from '../agent/job.ts';
import { isStructured } from '../agent/prompt.ts';
import { readReply } from '../program/reply.ts';
import type { StepInTree } from '../step.ts';
import { requestOf } from './request.ts';
import { type ModelRun, Told } from './told.ts';

const NO_MODELS = 'models can be called only in a project';

/** Asks a model for what a block wants, as a task of the step, and ends as the run of an agent would. */
export async function runModel(step: StepInTree, model: string, entry: RosterEntry): Promise<ModelRun> {
  const { services, context, run, worktree } = step;
  const { models } = services;
  if (!models) throw new Error(NO_MODELS);
  const began = performance.now();
  const request = requestOf(context, entry, worktree);
  const told = new Told(step, model, request);
  const { timeoutMs } = limitsOf(entry, services.timeoutMs);
  const limit = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const cancel = limit ? AbortSignal.any([run.cancel, limit]) : run.cancel;
  told.started();
  try {
    const ask = (what: ModelRequest) =>
      askModel(model, what, told, {
        ...models,
        now: () => (services.clock ?? systemClock).now(),
        cancel,
        called: (call) => told.called(call),
      });
    const first = await ask(request);
    const problem = first.ok ? problemOf(first.text, step) : undefined;
    const asked = problem === undefined ? first : await ask(again(request, problem));
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

/** Why the answer cannot be used where a reply in JSON was asked for; undefined: it can. */
function problemOf(text: string, { context: { contract }, services }: StepInTree): string | undefined {
  const terms = { ...contract.reply, structured: isStructured(contract), kind: 'model' } as const;
  const read = readReply(text, services.masker, terms);
  return 'problem' in read ? read.problem : undefined;
}

/** Once: who was told what is wrong and says it again will not be told a second time. */
function again(request: ModelRequest, problem: string): ModelRequest {
  const told = `Your last answer to all of this cannot be used: ${problem}. Answer once more, completely, with nothing but the JSON.`;
  return { ...request, prompt: `${request.prompt}\n\n${told}` };
}
