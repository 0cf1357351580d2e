import type { JsonValue } from '../kernel/json.ts';
import type { Masker } from '../kernel/mask.ts';
import { maskJson } from '../kernel/mask-json.ts';
import { findJson } from '../manifest/output/find-json.ts';
import { FAILURE, SUCCESS, type Worker } from '../manifest/worker.ts';
import { answer, PASS_OR_FAIL } from './answer.ts';
import { logOf, type ProjectCheck, passed, runProjectCheck, runsOf, withDoubt } from './project-check.ts';
import type { WorkerServices } from './services.ts';
import { inWorktree } from './step.ts';

/** Runs the project's linter. The streams stay apart, so noise on standard error cannot spoil the JSON. */
export function linter(services: WorkerServices): Worker {
  return {
    signals: PASS_OR_FAIL,
    run: inWorktree(services, 'Internal:RunLinter', async (step) => {
      const { context, run } = step;
      const check = await runProjectCheck(step, 'lint', 'separate');
      if (passed(check)) return withDoubt(check, answer(SUCCESS, context, run));
      const content = findings(check, services.masker);
      const result = { type: 'LINT_RESULT', content, extra: runsOf(check) };
      return withDoubt(check, answer(FAILURE, context, run, result));
    }),
  };
}

/** The findings as the linter gave them, or everything it said when that is no JSON. */
function findings(check: ProjectCheck, masker: Masker): JsonValue {
  if (!check.ran || check.explanation !== undefined)
    return unread(check, 'the linter did not run to its end');
  const { output } = check.outcome;
  if (output.truncated) return unread(check, `its ${output.bytes} bytes of output are too much to read`);
  const [parsed] = findJson(output.text);
  if (parsed !== undefined && typeof parsed === 'object' && parsed !== null) return maskJson(masker, parsed);
  return unread(check, 'its output is not JSON; a JSON reporter lets the findings be read by a program');
}

function unread(check: ProjectCheck, error: string): JsonValue {
  const errors = check.ran ? check.outcome.errors.text : '';
  const raw = [logOf(check), errors].filter((text) => text !== '').join('\n');
  return { parsed: null, raw, error };
}
