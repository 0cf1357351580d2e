// Written by scripts/write-agent-index.mjs from the folders in src/agents/adapters; not edited by hand.
import type { AgentName } from '../../kernel/agent-names.ts';
import type { BuiltInAgent } from './built-in-agent.ts';
import { agent as claude } from './claude/adapter.ts';
import cn from './cn/adapter.json' with { type: 'json' };
import { agent as codex } from './codex/adapter.ts';
import { agent as copilot } from './copilot/adapter.ts';
import { agent as gemini } from './gemini/adapter.ts';
import { agent as opencode } from './opencode/adapter.ts';
import { agent as pi } from './pi/adapter.ts';
import { agent as qwen } from './qwen/adapter.ts';
import { agent as scripted } from './scripted/adapter.ts';

export const BUILT_IN_AGENTS: { readonly [name in AgentName]: BuiltInAgent } = {
  claude,
  cn: { definition: cn },
  codex,
  copilot,
  gemini,
  opencode,
  pi,
  qwen,
  scripted,
};
