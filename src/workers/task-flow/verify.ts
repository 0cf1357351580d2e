import { asFact } from '../../manifest/segment.ts';
import { FAILURE, SUCCESS, type Worker } from '../../manifest/worker.ts';
import { hasPassed, type VerificationReport } from '../../verification/report.ts';
import { runPass } from '../../verification/run-pass.ts';
import type { TaskTree } from '../../verification/task-tree.ts';
import { answer } from '../answer.ts';
import type { WorkerServices } from '../services.ts';
import { type AskedPlan, askedPlanIn } from './asked-plan.ts';
import { programsOf } from './run-program.ts';
import {
  acceptsNoChange,
  allowedPathsIn,
  baselineIn,
  expectedFilesIn,
  leftBehindIn,
  OUTCOME,
  VERIFICATION,
} from './segments.ts';
import { taskOf, taskParameterProblems, treeOf } from './task-block.ts';

const SIGNALS: { readonly [result in VerificationReport['result']]: string } = {
  verified: SUCCESS,
  unverified: SUCCESS,
  no_op: SUCCESS,
  no_change: 'SIGNAL:NO_CHANGE',
  needs_plan: 'SIGNAL:ASK_PLAN',
  policy_violation: 'SIGNAL:POLICY_VIOLATION',
  denied_command: 'SIGNAL:DENIED_COMMAND',
  failed: FAILURE,
};

const { needs_plan: _asked, ...WITHOUT_PLAN } = SIGNALS;
const NOBODY: AskedPlan = { model: undefined, notes: [] };

/** One pass over the changes of a task. Its report is the evidence, for a pass as for a failure. */
export function verify(services: WorkerServices): Worker {
  return {
    signalsFor: ({ askPlan }) => [...new Set(Object.values(askPlan === true ? SIGNALS : WITHOUT_PLAN))],
    checkWith: (parameters) => [
      ...taskParameterProblems(parameters, ['askPlan']),
      ...(typeof (parameters.askPlan ?? false) === 'boolean' ? [] : ['"askPlan" must be true or false.']),
    ],
    async run(context, run) {
      const { task, rules } = taskOf(context.contract.with);
      const tree = treeOf(services, 'Internal:Verify');
      const payload = context.execution_payload;
      const timeoutMs = rules.commandTimeoutMs;
      const asks = context.contract.with.askPlan === true;
      const { model, notes } = asks ? askedPlanIn(payload, rules.verifyPlanParseRetries) : NOBODY;
      const report = await runPass(
        {
          task,
          rules,
          allowedLater: allowedPathsIn(payload),
          noChangeAccepted: acceptsNoChange(payload),
          missingFiles: expectedFilesIn(payload)?.missing ?? [],
          leftBehind: leftBehindIn(payload),
          baseline: baselineIn(payload),
          model,
          notes,
        },
        {
          tree,
          run: programsOf(services, context, run, { root: tree.root, timeoutMs }),
          projectDir: services.projectDir,
        },
      );
      const passed = hasPassed(report);
      if (passed) await leaveProducts(tree, report);
      const extra = { outcome: passed ? 'PASS' : 'FAIL' };
      const evidence = { type: VERIFICATION, content: report, extra };
      const outcome = { type: OUTCOME, content: { outcome: report.result }, extra: asFact({}) };
      return answer(SIGNALS[report.result], context, run, evidence, ...(passed ? [outcome] : []));
    },
  };
}

/** Products that nobody ignores did not count as changes, so they must not be delivered as such either. */
async function leaveProducts(tree: TaskTree, { dropped }: VerificationReport): Promise<void> {
  const products = dropped.filter(({ why }) => why !== 'ignored').map(({ path }) => path);
  if (tree.mode !== 'direct' && products.length > 0) await tree.discard(products);
}
