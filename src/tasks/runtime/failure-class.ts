import type { FailureClass } from '../../backlog/retries.ts';
import type { ExecutionPayload } from '../../manifest/segment.ts';
import { blockingFailure } from '../../verification/report.ts';
import { lastRunIn } from '../../workers/agent/agent-run.ts';
import { reportIn } from '../../workers/task-flow/segments.ts';

/** Why the last agent of a history failed; undefined: it did not. */
export function classOfAgentRun(payload: ExecutionPayload): FailureClass | undefined {
  const last = lastRunIn(payload);
  if (!last || last.ok) return undefined;
  switch (last.error) {
    case 'auth':
      return 'permission';
    case 'loop':
      return 'model_loop';
    case 'overloaded':
    case 'network':
      return 'env';
    default:
      return last.denied ? 'permission' : 'model';
  }
}

/** The class of an attempt that asks for rework, by the code that its flow recorded. */
export function classOfRework(code: string, payload: ExecutionPayload): FailureClass {
  // An agent that may not work has neither changed nor repaired anything, whatever the checks say of it.
  if (classOfAgentRun(payload) === 'permission') return 'permission';
  const report = reportIn(payload);
  const failed = report && blockingFailure(report)?.code;
  switch (code) {
    case 'policy_violation':
      return report?.result === 'policy_violation' ? 'policy' : 'permission';
    case 'no_actionable_changes':
      return 'noop';
    case 'suspicious_change':
      return 'permission';
    default:
      return failed === 'setup_issue' ? 'setup' : 'test';
  }
}
