import { asFact, contentText } from '../../manifest/segment.ts';
import { SUCCESS, type Worker } from '../../manifest/worker.ts';
import { answer, failed } from '../answer.ts';
import type { WorkerServices } from '../services.ts';
import { DELIVERY, OUTCOME } from '../verify/segments.ts';

const UNREADABLE = 'SIGNAL:UNREADABLE';

/** Reads the newest answer of a research block and keeps what it found; an answer that cannot be read is said so. */
export function keepFindings(services: WorkerServices): Worker {
  return {
    signals: [SUCCESS, UNREADABLE, 'SIGNAL:FAILURE'],
    async run(context, run) {
      if (!services.findings)
        return failed(
          context,
          run,
          'This session has nowhere to keep findings. Start it as a research task.',
        );
      const said = context.execution_payload.findLast(({ type }) => type === 'MODEL_OUTPUT');
      const kept = await services.findings.keep(said ? contentText(said) : '');
      if ('problem' in kept) {
        const content = `The answer cannot be used: ${kept.problem}. Answer again, with JSON only.`;
        return answer(UNREADABLE, context, run, { type: 'ERROR', content });
      }
      const { artifacts, review, proof } = kept;
      const facts = [
        { type: OUTCOME, content: { outcome: proof === '' ? 'unverified' : 'verified', reason: proof } },
        { type: DELIVERY, content: { artifacts, review } },
      ];
      return answer(SUCCESS, context, run, ...facts.map((fact) => ({ ...fact, extra: asFact({}) })));
    },
  };
}
