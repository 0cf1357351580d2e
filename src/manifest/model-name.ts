/** A model as a roster names it: who serves it, and what they call it. */
export interface ModelName {
  readonly provider: string;
  readonly model: string;
}

const NAME = /^([a-z0-9][a-z0-9._-]*)\/(\S+)$/i;

/** `anthropic/claude-sonnet-4-5`; what follows the first slash is the provider's own name, slashes and all. */
export function parseModelName(text: string): ModelName | undefined {
  const [, provider, model] = NAME.exec(text) ?? [];
  return provider === undefined || model === undefined
    ? undefined
    : { provider: provider.toLowerCase(), model };
}

export function isModelName(text: string): boolean {
  return parseModelName(text) !== undefined;
}

/** What of a roster entry says who does the work. */
export interface Runners {
  readonly agent?: string;
  readonly agents?: readonly string[];
  readonly model?: string;
  readonly models?: readonly string[];
}

/** Whom an entry asks, in order of preference: agents by their name, models as provider/model. */
export function whoRuns({ agent, agents, model, models }: Runners): readonly string[] {
  if (agents) return agents;
  if (agent !== undefined) return [agent];
  // A model alone is one that is called; beside an agent it is the one that the agent is told to use.
  return models ?? (model !== undefined && isModelName(model) ? [model] : []);
}
