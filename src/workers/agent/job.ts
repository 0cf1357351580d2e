import type { AgentSettings, ExecutionMode } from '../../agents/adapter.ts';
import type { RosterEntry } from '../../manifest/definition.ts';
import type { WorkflowTask } from '../../manifest/stages/definition.ts';

/** One agent process that is to be run as a task of a step. */
export interface AgentTask {
  readonly task: string;
  readonly name: string;
  /** The type of its adapter. */
  readonly agent: string;
  readonly mode: ExecutionMode;
  readonly prompt: string | undefined;
  readonly extraArgs: readonly string[];
  /** Absolute, and inside the session's folder. */
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
  readonly settings: AgentSettings;
  /** Ends it; the step's own signal does too, where this is absent. */
  readonly cancel?: AbortSignal;
  readonly timeoutMs: number | undefined;
  readonly silenceMs: number | undefined;
}

type Said = Pick<
  RosterEntry & WorkflowTask,
  'model' | 'permissions' | 'maxTurns' | 'maxUsd' | 'minutes' | 'silenceMinutes'
>;

const MINUTE = 60_000;

export function settingsOf({ model, permissions, maxTurns, maxUsd }: Partial<Said>): AgentSettings {
  return {
    permissions: permissions ?? 'edits',
    ...(model === undefined ? {} : { model }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(maxUsd === undefined ? {} : { maxUsd }),
  };
}

export function limitsOf(
  said: Partial<Said>,
  otherwiseMs: number | undefined,
): Pick<AgentTask, 'timeoutMs' | 'silenceMs'> {
  return {
    timeoutMs: said.minutes === undefined ? otherwiseMs : said.minutes * MINUTE,
    silenceMs: said.silenceMinutes === undefined ? undefined : said.silenceMinutes * MINUTE,
  };
}
