import type { Snapshot } from '../../orchestrator/state/session-reader.ts';
import { NO_SANDBOX } from '../../process/sandbox/project-sandbox.ts';
import { asMaterial, asSubject } from '../../workspace/delivery/message.ts';
import { type Check, checkLines } from './checks.ts';

const SUBJECT = 72;

/** A commit message from the goal and from what proves the result. */
export function messageFor({ state }: Snapshot, checks: readonly Check[]): string {
  const goal = asSubject(state.goal);
  const subject = goal.length <= SUBJECT ? goal : `${goal.slice(0, SUBJECT - 1)}…`;
  const evidence =
    checks.length === 0 ? ['No gate was declared: unverified.'] : ['Checked:', ...checkLines(checks)];
  const steps = `${state.used.steps} steps, session ${state.status}`;
  // Whoever reads the commit should know what its steps ran without.
  const open = state.sandbox?.startsWith(NO_SANDBOX) ? [`Its steps ran with ${state.sandbox}.`] : [];
  return [
    subject,
    '',
    ...(goal === subject ? [] : [asMaterial(state.goal), '']),
    ...evidence,
    ...open,
    '',
    steps,
    '',
  ].join('\n');
}
