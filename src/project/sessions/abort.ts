import { action } from '../../kernel/action.ts';
import { ConflictError } from '../../kernel/errors.ts';
import { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { isFinal } from '../../orchestrator/state/status.ts';
import { leavePlans } from '../files/turns.ts';
import type { OpenProject } from '../open.ts';
import { findSession } from './list.ts';

export interface AbortRequest {
  /** Why, for whoever looks at it later. */
  readonly reason?: string | undefined;
  /** What somebody who takes it up again should know. */
  readonly guidance?: string | undefined;
}

/** Ends a session for good, whoever runs it; its files stay as they are. */
export async function abort(
  opened: OpenProject,
  written: string | undefined,
  { reason, guidance }: AbortRequest = {},
) {
  const { project, sessions, services } = opened;
  const id = findSession(sessions, written);
  const { state } = sessions.load(id);
  if (isFinal(state.status)) {
    throw new ConflictError(`Session ${id} is ${state.status} already.`, {
      next: { ...action('session.clean', 'Delete it', { session: id }), danger: true },
    });
  }
  const ended = await Orchestrator.open(id, services).abort(
    reason,
    guidance === undefined ? {} : { guidance },
  );
  await leavePlans(project, id);
  return { session: id, status: ended.status, steps: ended.used.steps };
}
