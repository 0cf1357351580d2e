import type { AgentConversation, AgentSettings, ExecutionMode } from '../../agents/adapter.ts';
import type { AdapterRegistry } from '../../agents/registry/registry.ts';
import type { JobEnd } from './run-job.ts';

/** The conversation, if the agent can continue one with these settings. */
export function continuable(
  adapters: AdapterRegistry,
  run: { readonly agent: string; readonly mode: ExecutionMode; readonly settings: AgentSettings },
  resume: AgentConversation | undefined,
): AgentConversation | undefined {
  if (!resume) return undefined;
  const { permissions = 'edits' } = run.settings;
  const problems = adapters.problems(run.agent, run.mode, { permissions, resume });
  return problems.length === 0 ? resume : undefined;
}

/** Continues a conversation; one that the CLI no longer knows is started over, once. */
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
