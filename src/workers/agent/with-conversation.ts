import type { AgentConversation } from '../../agents/adapter.ts';
import type { JobEnd } from './run-job.ts';

/** Goes on in a conversation; one that the CLI does not know any more is begun anew, once. */
export async function withConversation(
  resume: AgentConversation | undefined,
  start: (resume: AgentConversation | undefined) => Promise<JobEnd>,
  cancel: AbortSignal,
): Promise<JobEnd> {
  const ended = await start(resume);
  const { outcome, by } = ended;
  const kind = outcome.error?.kind;
  const unknown = resume && by === 'itself' && !outcome.ok && outcome.used.tokens === 0;
  const lost = unknown && (kind === 'refused' || kind === 'crash');
  return lost && !cancel.aborted ? start(undefined) : ended;
}
