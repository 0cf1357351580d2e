// Written by scripts/write-agent-index.mjs from the folders in src/agents/adapters; not edited by hand.
/** The agent CLIs that loopwright knows, as settings name them. */
// biome-ignore format: one line for each
export const AGENT_NAMES = [
  'claude',
  'cn',
  'codex',
  'copilot',
  'gemini',
  'opencode',
  'pi',
  'qwen',
  'scripted',
] as const;
export type AgentName = (typeof AGENT_NAMES)[number];
