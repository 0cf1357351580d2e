import { action } from '../../kernel/action.ts';
import { ConflictError, UsageError } from '../../kernel/errors.ts';
import { requiredInputs } from '../../manifest/placeholders.ts';
import type { SessionState } from '../../orchestrator/state/session-state.ts';
import { isRetryable } from '../../orchestrator/state/status.ts';
import type { OpenProject } from '../open.ts';
import { checkAgents } from './preflight.ts';
import { prepareManifest } from './prepare-manifest.ts';
import { readWorkflow } from './workflow.ts';

const SHOWN = 12;

/** Lets a session go on with its workflow as the file says it now; says what changed. */
export async function takeUp(opened: OpenProject, state: SessionState): Promise<string[]> {
  const { id, source, workflow: name, status } = state;
  if (!isRetryable(status)) {
    throw new ConflictError(`Session ${id} is ${status}: only one that stands still takes up a workflow.`, {
      next: action('session.show', 'Look at it', { session: id }),
    });
  }
  const named = source?.file ?? name;
  if (named === undefined || named === '') {
    throw new UsageError(`The workflow of session ${id} came from no file.`, {
      next: action('run.start', 'Start a new session with the corrected workflow'),
    });
  }
  const workflow = readWorkflow(opened.project, undefined, named, opened.project.dir);
  const { manifest } = prepareManifest({ ...workflow, name: name ?? workflow.name }, opened, source?.agent);
  const missing = requiredInputs(manifest).filter((input) => state.inputs[input] === undefined);
  if (missing.length > 0) {
    throw new UsageError(
      `The corrected workflow uses inputs that session ${id} has not: ${missing.join(', ')}.`,
      {
        next: action('run.input', 'Start a new session with a value for each', { input: missing[0] }),
      },
    );
  }
  await checkAgents(manifest, opened);
  const change = await opened.sessions.adopt(id, manifest);
  if (!change) return [`${name ?? named} is the same as before: nothing was taken up`];
  const [before, now] = [change.before.slice(0, SHOWN), change.digest.slice(0, SHOWN)];
  return [`takes up ${name ?? named} as it is now: manifest ${before} before, ${now} from here on`];
}
