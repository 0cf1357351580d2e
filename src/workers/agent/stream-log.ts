import type { AgentSettings, Permissions } from '../../agents/adapter.ts';

/** Whose stream a log holds. */
export interface StreamLog {
  readonly agent: string;
  /** Those that decide how the agent is talked to, and so how its stream is read. */
  readonly settings: AgentSettings;
}

const AGENT = '[0-9A-Za-z._]+(?:-[0-9A-Za-z._]+)*';
/** `0003.02-review--claude.log`: step, which run of it, task, and the agent; `--ask-model` where it was told more. */
const NAME = new RegExp(
  `^\\d+(?:\\.\\d+)?-(?<task>.+?)(?:--(?<agent>${AGENT})(?:--(?<permissions>read|ask|edits|all)(?<model>-model)?)?)?\\.log$`,
);

/** The name carries what the stream is read with: a log outlives the manifest that its run was started from. */
export function streamLogName(task: string, agent: string, { permissions, model }: AgentSettings): string {
  const told = [permissions ?? 'edits', ...(model === undefined ? [] : ['model'])].join('-');
  return `${task}--${agent}${told === 'edits' ? '' : `--${told}`}.log`;
}

export function taskOfLog(name: string): string {
  return NAME.exec(name)?.groups?.['task'] ?? name;
}

export function streamOfLog(name: string): StreamLog | undefined {
  const { agent, permissions, model } = NAME.exec(name)?.groups ?? {};
  if (agent === undefined) return undefined;
  return {
    agent,
    settings: {
      ...(isPermission(permissions) ? { permissions } : {}),
      // Which one it was, the stream itself says, if at all.
      ...(model === undefined ? {} : { model: 'unknown' }),
    },
  };
}

function isPermission(word: string | undefined): word is Permissions {
  return word !== undefined && /^(?:read|ask|edits|all)$/.test(word);
}
