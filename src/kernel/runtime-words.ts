/** What a runtime works on. */
export const ROLES = ['worker', 'tester', 'docser'] as const;
export type Role = (typeof ROLES)[number];

/** Where the changes of a task go. */
export const REPOSITORY_MODES = ['github', 'local-git', 'direct'] as const;
export type RepositoryMode = (typeof REPOSITORY_MODES)[number];

/** The agent CLIs that loopwright knows, as settings name them; `src/agents/adapters` has a folder for each. */
export const AGENT_NAMES = ['claude', 'codex', 'opencode', 'gemini', 'scripted'] as const;
export type AgentName = (typeof AGENT_NAMES)[number];
