import type { AgentName } from '../../kernel/runtime-words.ts';
import type { BuiltInAgent } from './built-in-agent.ts';
import { claude } from './claude/adapter.ts';
import { codex } from './codex/adapter.ts';
import { gemini } from './gemini/adapter.ts';
import { opencode } from './opencode/adapter.ts';
import { scripted } from './scripted/adapter.ts';

/** One line for each folder. The type demands that these are exactly the agents that settings can name. */
export const BUILT_IN_AGENTS: { readonly [name in AgentName]: BuiltInAgent } = {
  claude,
  codex,
  gemini,
  opencode,
  scripted,
};
