import type { Worker } from '../../manifest/worker.ts';
import { blockingFailure, describeFailure } from '../../verification/report.ts';
import { answer } from '../answer.ts';
import { reportIn } from './segments.ts';
import { taskOf, taskParameterProblems } from './task-block.ts';

const REPAIRABLE = 'SIGNAL:REPAIRABLE';
const NOT_REPAIRABLE = 'SIGNAL:NOT_REPAIRABLE';

/**
 * Says what a failed pass failed of, for whoever repairs it, and whether it may be repaired. Its words hold
 * nothing but the failure, so `sameFailure` here counts equal failures whatever else was changed.
 */
export const diagnoseFailure: Worker = {
  signals: [REPAIRABLE, NOT_REPAIRABLE],
  changesFiles: false,
  checkWith: taskParameterProblems,
  async run(context, run) {
    const { rules } = taskOf(context.contract.with);
    const report = reportIn(context.execution_payload);
    const explicit = report && blockingFailure(report)?.source === 'explicit';
    const signal = !report || (explicit && !rules.repairExplicit) ? NOT_REPAIRABLE : REPAIRABLE;
    const content = report ? describeFailure(report) : 'There is no report of a verification.';
    return answer(signal, context, run, {
      type: 'VERIFICATION_FAILURE',
      content,
      extra: { outcome: 'FAIL' },
    });
  },
};
