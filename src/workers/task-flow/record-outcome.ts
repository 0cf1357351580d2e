import type { JsonObject } from '../../kernel/json.ts';
import { isGenuine } from '../../manifest/origin.ts';
import { asFact, contentText, type ExecutionPayload } from '../../manifest/segment.ts';
import { SUCCESS, type Worker } from '../../manifest/worker.ts';
import { describeFailure, hasPassed } from '../../verification/report.ts';
import { hardChanges, latestSuspicious, suspiciousLine } from '../../verification/suspicious/segment.ts';
import { answer } from '../answer.ts';
import { unknownParameters } from '../parameters.ts';
import { OUTCOME, reportIn, VERIFICATION } from './segments.ts';

/** Notes why a task cannot continue by itself: `with: { code }`. The reason is the newest report or error, or what was done to the checks. */
export const recordOutcome: Worker = {
  signals: [SUCCESS],
  changesFiles: false,
  checkWith(parameters: JsonObject) {
    const problems = unknownParameters(parameters, ['code']);
    return typeof parameters.code === 'string' ? problems : [...problems, '"code" must be a text.'];
  },
  async run(context, run) {
    const { code = 'needs_rework' } = context.contract.with;
    const reason = reasonIn(context.execution_payload);
    const content = { outcome: 'needs_rework', code, ...(reason === undefined ? {} : { reason }) };
    return answer(SUCCESS, context, run, { type: OUTCOME, content, extra: asFact({}) });
  },
};

function reasonIn(payload: ExecutionPayload): string | undefined {
  const report = reportIn(payload);
  const pass = payload.findLastIndex((segment) => isGenuine(segment, VERIFICATION));
  const isFailed = report !== undefined && !hasPassed(report);
  const error = (isFailed ? payload.slice(pass + 1) : payload).findLast(({ type }) => type === 'ERROR');
  const suspicious = latestSuspicious(payload);
  const hard = suspicious && !isFailed ? hardChanges(suspicious) : [];
  if (hard.length > 0) return hard.map(suspiciousLine).join('\n');
  const words = [...(isFailed ? [describeFailure(report)] : []), ...(error ? [contentText(error)] : [])];
  return words.length === 0 ? undefined : words.join('\n');
}
