import { oneLine } from '../../kernel/words.ts';
import type { Snapshot } from '../../orchestrator/state/session-manager.ts';

const SUBJECT = 72;

/** A commit message from the goal and from what proves the result. */
export function messageFor({ state, manifest }: Snapshot): string {
  const goal = oneLine(state.goal);
  const subject = goal.length <= SUBJECT ? goal : `${goal.slice(0, SUBJECT - 1)}…`;
  const gates = manifest.gates.map((block) => `- ${block}: ${state.gates[block]?.signal ?? 'never ran'}`);
  const evidence =
    gates.length === 0 ? ['No gate was declared: unverified.'] : ['Checked on these files:', ...gates];
  const steps = `${state.used.steps} steps, session ${state.status}`;
  return [subject, '', ...(goal === subject ? [] : [state.goal.trim(), '']), ...evidence, '', steps, ''].join(
    '\n',
  );
}
