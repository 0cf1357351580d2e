import { errorMessage } from '../../kernel/errors.ts';
import { asFact } from '../../manifest/segment.ts';
import {
  FAILURE,
  SUCCESS,
  type Worker,
  type WorkerContext,
  type WorkerResult,
  type WorkerRun,
} from '../../manifest/worker.ts';
import { flakyIn, hasPassed, type VerificationReport } from '../../verification/report.ts';
import type { TaskTree } from '../../verification/task-tree.ts';
import { SecretInChangeError } from '../../workspace/delivery/secret-scan.ts';
import { answer, failed } from '../answer.ts';
import type { Delivered, DeliveryLater, DeliveryPort, WorkerServices } from '../services.ts';
import { DELIVERY, inspectedIn, OUTCOME, reportIn } from './segments.ts';
import { taskOf, taskParameterProblems } from './task-block.ts';

const FILES_CHANGED = 'SIGNAL:FILES_CHANGED';
const NOTHING: Delivered = { artifacts: [], review: false };

/** Hands the verified work over. Without evidence nothing is delivered, and without a change there is nothing to deliver. */
export function deliver(services: WorkerServices): Worker {
  return {
    signals: [SUCCESS, FAILURE, FILES_CHANGED],
    checkWith: taskParameterProblems,
    async run(context, run) {
      taskOf(context.contract.with);
      const evidence = reportIn(context.execution_payload);
      if (!evidence || !hasPassed(evidence)) {
        return failed(context, run, 'Nothing was delivered: the newest verification did not pass.');
      }
      // What was red and green on the same files is delivered and shown, but a person decides.
      const isFlaky = flakyIn(evidence).length > 0;
      const note = ({ artifacts, review }: Delivered) => {
        const content = { artifacts, review: review || (isFlaky && artifacts.length > 0) };
        return answer(SUCCESS, context, run, { type: DELIVERY, content, extra: asFact({}) });
      };
      const changed = await changedSince(evidence, services.taskTree);
      if (changed !== undefined)
        return answer(FILES_CHANGED, context, run, { type: 'ERROR', content: changed });
      if (evidence.result === 'no_op') return note(NOTHING);
      if (!services.delivery) {
        const problem =
          'This session has nowhere to deliver to. Start it as a task, which has a repository mode.';
        return failed(context, run, problem);
      }
      const inspected = inspectedIn(context.execution_payload);
      const handed = await handOver(services.delivery, { evidence, inspected });
      if ('artifacts' in handed) return note(handed);
      if ('secrets' in handed) return withSecrets(context, run, handed.secrets);
      if ('problem' in handed) return notDelivered(context, run, handed.problem);
      const end = exhausted(handed, run);
      if (end !== undefined) return notDelivered(context, run, end);
      const { until, reason } = handed.later;
      run.progress({ type: 'delivery.later', reason });
      return run.park(new Date(until), reason, { cause: 'delivery' });
    },
  };
}

/** Why the evidence is not about the files that are there now; undefined: it is. */
async function changedSince(
  { tree: seen }: VerificationReport,
  tree: TaskTree | undefined,
): Promise<string | undefined> {
  if (seen === undefined || tree === undefined) return undefined;
  const now = await tree.identity();
  if (now === seen) return undefined;
  const paths = await tree.differing(seen, now);
  const which = paths.length === 0 ? '' : `: ${paths.join(', ')}`;
  return `Nothing was delivered: files changed after the checks had passed${which}.`;
}

type Work = Parameters<DeliveryPort['deliver']>[0];

async function handOver(
  delivery: DeliveryPort,
  work: Work,
): Promise<Delivered | DeliveryLater | { readonly problem: string } | { readonly secrets: string }> {
  try {
    return await delivery.deliver(work);
  } catch (error) {
    if (error instanceof SecretInChangeError)
      return { secrets: `${error.message}\n${error.next?.label ?? ''}` };
    return { problem: errorMessage(error) };
  }
}

/** Why it is not tried once more; undefined when it is. */
function exhausted({ later, tries }: DeliveryLater, run: WorkerRun): string | undefined {
  const tried = run.earlier.filter(({ type }) => type === 'delivery.later').length;
  return tries !== undefined && tried >= tries ? `${later.reason} (tried ${tried + 1} times)` : undefined;
}

/** A person decides; the work stays where it is. */
function withSecrets(context: WorkerContext, run: WorkerRun, reason: string): WorkerResult {
  const content = { outcome: 'needs_rework', code: 'secret_in_change', reason };
  const outcome = { type: OUTCOME, content, extra: asFact({}) };
  return answer(FAILURE, context, run, outcome, { type: 'ERROR', content: reason });
}

function notDelivered(context: WorkerContext, run: WorkerRun, problem: string): WorkerResult {
  const reason = `The work could not be delivered: ${problem}`;
  const content = { outcome: 'delivery_failed', reason };
  const outcome = { type: OUTCOME, content, extra: asFact({}) };
  return answer(FAILURE, context, run, outcome, { type: 'ERROR', content: reason });
}
