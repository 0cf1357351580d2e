import { isGenuine } from '../../manifest/origin.ts';
import { asFact, contentText } from '../../manifest/segment.ts';
import { FAILURE, SUCCESS, type Worker, type WorkerContext, type WorkerRun } from '../../manifest/worker.ts';
import { webUseIn } from '../agent/agent-run.ts';
import { answer, failed } from '../answer.ts';
import { unknownParameters } from '../parameters.ts';
import type { KeptFindings, WorkerServices } from '../services.ts';
import { DELIVERY, OUTCOME } from './segments.ts';

const UNREADABLE = 'SIGNAL:UNREADABLE';
const NOTHING_FOUND = 'NOTHING_FOUND';
/** It can be used, and proves less than its profile asks for. */
const SHORT = 'SIGNAL:SHORT';
const ASKED_FOR_MORE = 'ASKED_FOR_MORE';

/** Reads the newest answer of a research block and keeps what it found; an answer that cannot be used is reported as such. */
export function keepFindings(services: WorkerServices): Worker {
  return {
    signals: [SUCCESS, UNREADABLE, SHORT, FAILURE],
    checkWith: (parameters) => unknownParameters(parameters, ['askForMore']),
    async run(context, run) {
      if (!services.findings)
        return failed(
          context,
          run,
          'This session has nowhere to keep findings. Start it as a research task.',
        );
      const said = context.execution_payload.findLast(({ type }) => type === 'MODEL_OUTPUT');
      const kept = await services.findings.keep(
        said ? contentText(said) : '',
        webUseIn(context.execution_payload),
      );
      if ('problem' in kept) {
        const content = `The answer cannot be used: ${kept.problem}. Answer again, with JSON only.`;
        return answer(UNREADABLE, context, run, { type: 'ERROR', content });
      }
      // Who gave no reason is first asked for one.
      const isSilent = 'nothing' in kept && kept.nothing === '';
      const more = isSilent ? undefined : shortOf(kept, context, run);
      return more ?? ('nothing' in kept ? nothingFound(kept, context, run) : found(kept, context, run));
    },
  };
}

/** Once, what is missing is asked for; what was found until then is kept. */
function shortOf({ short }: Pick<KeptFindings, 'short'>, context: WorkerContext, run: WorkerRun) {
  const asked = context.execution_payload.some((segment) => isGenuine(segment, ASKED_FOR_MORE));
  if (short === undefined || asked || context.contract.with['askForMore'] !== true) return undefined;
  const content = `What you found is kept, but it proves too little: ${short}. Look for what is missing and fetch it with your own tools. Answer in the same form, with the sources that are new.`;
  const note = { type: ASKED_FOR_MORE, content: '' };
  return answer(SHORT, context, run, { type: 'ERROR', content }, note);
}

function found(
  { artifacts, review, proof, outcome, dropped }: KeptFindings,
  context: WorkerContext,
  run: WorkerRun,
) {
  const content = {
    outcome,
    reason: proof,
    ...(dropped.length === 0 ? {} : { dropped }),
  };
  const facts = [
    { type: OUTCOME, content },
    { type: DELIVERY, content: { artifacts, review } },
  ];
  return answer(SUCCESS, context, run, ...facts.map((fact) => ({ ...fact, extra: asFact({}) })));
}

/** Without a word why it is asked for once more; then it is taken for what it says. */
function nothingFound(
  {
    nothing,
    needed,
    proven,
  }: { readonly nothing: string; readonly needed: boolean; readonly proven: boolean },
  context: WorkerContext,
  run: WorkerRun,
) {
  const asked = context.execution_payload.some((segment) => isGenuine(segment, NOTHING_FOUND));
  if (nothing === '' && !asked) {
    const content =
      'The answer holds no finding. Look again, in other words and other places. If there is nothing to be found, say where you looked and why in "nothing".';
    const note = { type: NOTHING_FOUND, content: '' };
    return answer(UNREADABLE, context, run, { type: 'ERROR', content }, note);
  }
  const why = nothing === '' ? 'asked twice, it named no finding and no reason' : nothing;
  const content = needed
    ? { outcome: 'needs_rework', code: 'nothing_found', reason: `nothing was found: ${why}` }
    : { outcome: 'nothing_found', reason: why, proven };
  const outcome = { type: OUTCOME, content, extra: asFact({}) };
  return answer(needed ? FAILURE : SUCCESS, context, run, outcome);
}
