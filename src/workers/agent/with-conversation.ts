import type { AgentConversation, AgentSettings, ExecutionMode } from '../../agents/adapter.ts';
import type { AdapterRegistry } from '../../agents/registry/registry.ts';
import type { WorkerRun } from '../../manifest/worker.ts';
import type { JobEnd } from './run-job.ts';

/** How a run takes up a conversation. */
export interface TakenUp {
  readonly resume: AgentConversation;
  /** As a copy: it belongs to another session too. */
  readonly fork?: true;
}

/**
 * The conversation, if it may be continued and the agent can with these settings; else the run begins a new one, and
 * its prompt holds the history.
 */
export function continuable(
  adapters: AdapterRegistry,
  run: { readonly agent: string; readonly mode: ExecutionMode; readonly settings: AgentSettings },
  resume: AgentConversation | undefined,
  continues?: WorkerRun['continues'],
): TakenUp | undefined {
  if (!resume) return undefined;
  const may = continues?.(resume.id) ?? 'yes';
  if (may === 'no') return undefined;
  const { permissions = 'edits' } = run.settings;
  const taken = may === 'fork' ? ({ resume, fork: true } as const) : { resume };
  const problems = adapters.problems(run.agent, run.mode, { permissions, ...taken });
  return problems.length === 0 ? taken : undefined;
}

/** Continues a conversation; one that the CLI no longer knows is started over, once. */
export async function withConversation(
  taken: TakenUp | undefined,
  start: (taken: TakenUp | undefined) => Promise<JobEnd>,
  cancel: AbortSignal,
): Promise<JobEnd> {
  const ended = await start(taken);
  const { outcome, by } = ended;
  const kind = outcome.error?.kind;
  const unknown = taken && by === 'itself' && !outcome.ok && outcome.used.tokens === 0;
  const lost = unknown && (kind === 'refused' || kind === 'crash');
  return lost && !cancel.aborted ? start(undefined) : ended;
}
