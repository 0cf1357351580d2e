import { contentText, type ExecutionPayload } from '../../manifest/segment.ts';
import { type ModelPlan, readPlan } from '../../verification/automatic/model-plan.ts';
import { reportOf, VERIFICATION } from './segments.ts';

export interface AskedPlan {
  readonly model: ModelPlan;
  readonly notes: readonly string[];
}

/** What a model answered when a pass asked for commands; asked again so often, it has no plan. */
export function askedPlanIn(payload: ExecutionPayload, retries: number): AskedPlan {
  let asked = 0;
  for (const [index, segment] of payload.entries()) {
    if (reportOf(segment)?.result !== 'needs_plan') continue;
    asked++;
    const plan = readPlan(answerAfter(payload, index));
    if (plan)
      return { model: plan, notes: plan.length > 0 ? [] : ['a model was asked and named no command'] };
  }
  if (asked <= retries) return { model: 'ask', notes: [] };
  return {
    model: [],
    notes: [`a model was asked ${asked} times for commands and gave no answer that can be read`],
  };
}

/** Only what was said before the next pass answers this one. */
function answerAfter(payload: ExecutionPayload, index: number): string {
  const rest = payload.slice(index + 1);
  const next = rest.findIndex(({ type }) => type === VERIFICATION);
  const said = (next < 0 ? rest : rest.slice(0, next)).find(({ type }) => type === 'MODEL_OUTPUT');
  return said ? contentText(said) : '';
}
